import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAlive } from './alive.tsx';
import type { ApiError } from './api.ts';
import { asApiError } from './async.tsx';

export interface OpenedProps<T> {
  /** To be asked for whenever the form opens: `refetchOnMount: 'always'`. */
  query: UseQueryResult<T>;
  loading: ReactNode;
  error: (error: ApiError, retry: () => void) => ReactNode;
  children: (opened: T) => ReactNode;
}

/**
 * What a form begins with: asked for anew when it opens, then left alone. Whatever changes or fails meanwhile, a form
 * being typed in is not disturbed (contract 3, Changes, live). Where it could not be asked for, what was last seen does.
 */
export function Opened<T>({ query, loading, error, children }: OpenedProps<T>): ReactNode {
  // What the server has drawn the form with was asked for a moment ago.
  const [opened, setOpened] = useState(useAlive() ? undefined : query.data);
  if (opened === undefined && query.data !== undefined && query.isFetchedAfterMount) setOpened(query.data);
  if (opened !== undefined) return children(opened);
  if (query.isFetching || query.error === null) return loading;
  return error(asApiError(query.error), () => void query.refetch());
}
