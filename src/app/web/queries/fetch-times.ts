import type { Query, QueryClient } from '@tanstack/react-query';

const times = new WeakMap<Query, number>();

/** Records when each query begins to be fetched. */
export function recordFetchTimes(queryClient: QueryClient): void {
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'fetch') times.set(event.query as Query, performance.now());
  });
}

/** When a query began its latest fetch, in milliseconds since the page's start; 0 if it was never fetched. */
export function fetchBeganAt(query: Query): number {
  return times.get(query) ?? 0;
}
