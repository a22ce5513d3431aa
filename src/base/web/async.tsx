import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from './api.ts';

export interface AsyncProps<T> {
  query: UseQueryResult<T>;
  /** Shown before the first data: a skeleton, or a spinner if the spec gives its text. It needs `role=status`. */
  loading: ReactNode;
  /** Shown after an error, with a retry button ('Try Again'). */
  error: (error: ApiError, retry: () => void) => ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * Shows a query's loading, error or data state. Data from an earlier visit is shown even if the refetch fails; the error
 * appears only without any data (contract 5).
 */
export function Async<T>({ query, loading, error, children }: AsyncProps<T>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  // Show the loading state during a retry.
  if (query.isFetching || query.error === null) return loading;
  return error(asApiError(query.error), () => void query.refetch());
}

/** Converts any error to an ApiError. Unexpected ones get status 0 and keep their message. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, error instanceof Error ? error.message : 'Something went wrong. Please try again.');
}
