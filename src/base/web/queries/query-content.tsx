import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type ApiError, asApiError } from '../net/api-error.ts';
import type { Failure } from './use-failure.ts';

export interface QueryContentProps<T> {
  query: UseQueryResult<T>;
  /** Shown before the first data: a skeleton, or a spinner with a text. It needs `role=status`. */
  loading: ReactNode;
  /** Shown after an error, with a retry button ('Try Again'). */
  error: (error: ApiError, retry: () => void) => ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * Shows a query's loading, error or data state. Data from an earlier visit is shown even if the refetch fails; the error
 * appears only without any data.
 */
export function QueryContent<T>({ query, loading, error, children }: QueryContentProps<T>): ReactNode {
  const failure = useFailure(query);
  if (query.data !== undefined) return children(query.data);
  return failure === null ? loading : error(failure.error, failure.retry);
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
export function useFailure({ error, errorUpdatedAt: at, isFetching, refetch }: Failing): Failure | null {
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
