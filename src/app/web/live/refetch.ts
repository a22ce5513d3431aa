import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Refetches the open screens' queries, and the others when they are used again. A query without data goes on with the
 * fetch that is running, which may have been answered before the change, so it is fetched once more after that.
 */
export async function refetch(queryClient: QueryClient, matches: (query: Query) => boolean): Promise<void> {
  const isFirst = ({ state }: Query) => state.fetchStatus === 'fetching' && state.data === undefined;
  const first = new Set(
    queryClient.getQueryCache().findAll({ predicate: (query) => matches(query) && isFirst(query) }),
  );
  await queryClient.invalidateQueries({ predicate: matches });
  if (first.size > 0) await queryClient.invalidateQueries({ predicate: (query) => first.has(query) });
}
