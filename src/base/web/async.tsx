import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from './api.ts';

export interface AsyncProps<T> {
  query: UseQueryResult<T>;
  /** While there is nothing yet: a skeleton, or where the spec asks for its text the spinner; give it `role=status`. */
  loading: ReactNode;
  /** What could not be loaded, and how to try again ('Try Again'). */
  error: (error: ApiError, retry: () => void) => ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * The three states of what a screen loads. A screen seen before shows what was last seen, also when it could not be
 * loaded anew; the error stands only where nothing was (contract 5).
 */
export function Async<T>({ query, loading, error, children }: AsyncProps<T>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  // Trying again shows that it is trying.
  if (query.isFetching || query.error === null) return loading;
  return error(asApiError(query.error), () => void query.refetch());
}

/** Any failure as an ApiError: one that is none of ours (a bug, say) has status 0 and its own message. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, error instanceof Error ? error.message : 'Something went wrong. Please try again.');
}
