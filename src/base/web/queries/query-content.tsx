import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '../net/api-error.ts';
import { useQueryFailure } from './use-query-failure.ts';

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
  const failure = useQueryFailure(query);
  if (query.data !== undefined) return children(query.data);
  return failure === null ? loading : error(failure.error, failure.retry);
}
