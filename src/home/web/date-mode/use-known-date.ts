import { useQuery } from '@tanstack/react-query';
import { useFailure } from '../../../base/web/net/async.tsx';
import { client } from '../../../base/web/net/client.ts';
import { isNotFound } from '../../../base/web/net/not-found.ts';
import type { dateCalls, PlannedDate } from '../../../dates/contract.ts';
import { dateKeys, useDate } from '../../../dates/web/queries.ts';
import { fetchDashboard } from '../fetch-dashboard.ts';
import { homeKeys } from '../queries.ts';

const api = client<typeof dateCalls>();

/**
 * A date, as far as this device knows it. Without a network, a date that was never opened here is taken from the list or
 * the dashboard on which it was last seen.
 */
export function useKnownDate(id: string) {
  const one = useDate(id);
  const failure = useFailure(one);
  const isUnreachable = one.data === undefined && failure?.error.isUnanswered === true;
  const list = useQuery({
    queryKey: dateKeys.list(),
    queryFn: ({ signal }) => api('GET /api/PlannedDates', {}, { signal }),
    enabled: isUnreachable,
  });
  const dashboard = useQuery({
    queryKey: homeKeys.dashboard(),
    queryFn: ({ signal }) => fetchDashboard(signal),
    enabled: isUnreachable,
  });
  const seen: readonly PlannedDate[] = [...(list.data ?? []), ...(dashboard.data?.running ?? [])];
  const listed = isUnreachable ? seen.find((date) => date.id === id) : undefined;
  const isGone = isNotFound(failure?.error) || isNotFound(one.error);
  return {
    date: isGone ? undefined : (one.data?.entity ?? listed),
    isLoading: id !== '' && (failure === null || (isUnreachable && (list.isFetching || dashboard.isFetching))),
    isNotFound: isNotFound(failure?.error),
    retry: () => failure?.retry(),
  };
}
