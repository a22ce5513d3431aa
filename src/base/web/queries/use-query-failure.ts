import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiError, asApiError } from '../net/api-error.ts';

/** Why a query has no current data, and how the user fetches it again. */
export interface Failure {
  readonly error: ApiError;
  readonly retry: () => void;
}

/** The part of a query's result that tells whether it failed. */
type Failing = Pick<UseQueryResult, 'error' | 'errorUpdatedAt' | 'isFetching'> & {
  readonly refetch: () => Promise<unknown>;
};

/**
 * Returns the failure of a query, or null while it loads. The library forgets the error as soon as it fetches again. Here
 * it stays when a change by the partner does that, so that no button disappears as it is pressed. It goes when the user
 * retries, and as soon as the network is back.
 */
export function useQueryFailure({ error, errorUpdatedAt: at, isFetching, refetch }: Failing): Failure | null {
  const [last, setLast] = useState<{ error: unknown; at?: number }>({ error: null });
  if (!isFetching && error !== last.error) setLast({ error, at });
  // The time tells whether it is an error of this query, and not of another one, such as of another page of the list.
  const isKept = last.at === at && !asApiError(last.error).isUnanswered;
  const shown = isFetching ? isKept && last.error : error;
  if (!shown) return null;
  const retry = () => {
    setLast({ error });
    void refetch();
  };
  return { error: asApiError(shown), retry };
}
