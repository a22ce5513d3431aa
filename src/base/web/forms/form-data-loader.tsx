import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../net/api-error.ts';
import { isNotFound } from '../net/not-found.ts';
import { useReachable } from '../net/use-reachable.ts';
import { useQueryFailure } from '../queries/use-query-failure.ts';

export interface FormDataLoaderProps<T> {
  /** Its `refetchOnMount` must be `always`. */
  query: UseQueryResult<T>;
  loading: ReactNode;
  error: (error: ApiError, retry: () => void) => ReactNode;
  children: (initial: T) => ReactNode;
}

/**
 * Fetches a form's initial data when it opens, and keeps that data: later changes and failures do not disturb a form in
 * use (screens.forms.8). Offline it uses the data saved on this device.
 */
export function FormDataLoader<T>({ query, loading, error, children }: FormDataLoaderProps<T>): ReactNode {
  const [initial, setInitial] = useState<T>();
  const failure = useQueryFailure(query);
  const isReachable = useReachable();
  const isCurrent = query.isFetchedAfterMount || !query.isFetching || !isReachable;
  if (initial === undefined && query.data !== undefined && isCurrent && !isNotFound(query.error))
    setInitial(query.data);
  if (initial !== undefined) return children(initial);
  return failure === null ? loading : error(failure.error, failure.retry);
}
