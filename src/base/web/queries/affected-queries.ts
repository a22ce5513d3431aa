import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Change } from '../../change.ts';

/**
 * The queries that a change of each entity affects, by the first part of their keys. Dates show their idea's title, ideas
 * count their dates, dates count their photographs, and the statistics and the dashboard use everything. Without a partner
 * no idea is mutual. It names queries of other slices, and is in `base` because each of them changes entities.
 */
const AFFECTED_QUERIES: Readonly<Record<Change['entity'], readonly string[]>> = {
  dateIdea: ['ideas', 'dates', 'search', 'print', 'stats', 'home', 'celebrations'],
  plannedDate: [
    'dates',
    'ideas',
    'memories',
    'search',
    'print',
    'printedNotes',
    'trash',
    'stats',
    'home',
    'celebrations',
  ],
  memory: ['memories', 'search', 'print', 'trash', 'dates', 'stats', 'home'],
  couple: ['stats', 'home', 'session', 'ideas', 'search', 'print', 'printedNotes', 'celebrations'],
};

/** Returns whether changes of some entities affect a query. */
export function isAffectedBy(entities: Iterable<Change['entity']>): (query: Pick<Query, 'queryKey'>) => boolean {
  const keys = new Set([...entities].flatMap((entity) => AFFECTED_QUERIES[entity]));
  return ({ queryKey }) => keys.has(String(queryKey[0]));
}

/**
 * Refetches what a change of this page affects.
 * @param isCurrent whether a query has the answer to the change already, or is of something that is gone
 */
export function refetchAffected(
  queryClient: QueryClient,
  entity: Change['entity'],
  isCurrent: (queryKey: QueryKey) => boolean = () => false,
): Promise<void> {
  const isAffected = isAffectedBy([entity]);
  return queryClient.invalidateQueries({ predicate: (query) => isAffected(query) && !isCurrent(query.queryKey) });
}
