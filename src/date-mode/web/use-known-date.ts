import { isNotFound } from '../../base/web/net/not-found.ts';
import { useQueryFailure } from '../../base/web/queries/use-query-failure.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { useDate, useDates } from '../../dates/web/queries.ts';

/** The dates in progress as another screen shows them, while the server can't be reached. */
export interface LastSeenRunningDates {
  readonly data: readonly PlannedDate[] | undefined;
  readonly isFetching: boolean;
}

/**
 * A date, as far as this device knows it. Without a network, a date that was never opened here is taken from the list or
 * the dashboard on which it was last seen.
 */
export function useKnownDate(id: string, running: LastSeenRunningDates) {
  const one = useDate(id);
  const failure = useQueryFailure(one);
  const isUnreachable = one.data === undefined && failure?.error.isUnanswered === true;
  const list = useDates(isUnreachable);
  const seen = [...(list.data ?? []), ...(running.data ?? [])];
  const listed = isUnreachable ? seen.find((date) => date.id === id) : undefined;
  const isGone = isNotFound(failure?.error) || isNotFound(one.error);
  return {
    date: isGone ? undefined : (one.data?.entity ?? listed),
    isLoading: id !== '' && (failure === null || (isUnreachable && (list.isFetching || running.isFetching))),
    isNotFound: isNotFound(failure?.error),
    retry: () => failure?.retry(),
  };
}
