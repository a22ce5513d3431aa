import type { Query, QueryClient } from '@tanstack/react-query';
import { userId } from '../../../auth/web/session/session.ts';
import { isNotFound } from '../../../base/web/net/not-found.ts';
import { findLastSeen, saveLastSeen } from '../../../base/web/storage/last-seen.ts';

/** The queries that are stored on this device, by the first part of their keys. */
const SAVED_KEYS = new Set(['ideas', 'dates', 'memories', 'stats', 'home']);

/**
 * Gives each new query what this device last saw, which its screen shows until the server has answered, and stores what
 * the query gets: answers, and what the page changes itself (decision 44).
 */
export function showLastSeen(queryClient: QueryClient): void {
  queryClient.getQueryCache().subscribe((event) => {
    const query = event.query as Query;
    const owner = userId();
    if (owner === null || !SAVED_KEYS.has(String(query.queryKey[0]))) return;
    if (event.type === 'added') fill(query, owner);
    if (event.type !== 'updated') return;
    if (event.action.type === 'success') void saveLastSeen(owner, query.queryHash, query.state.data);
    if (event.action.type === 'error' && isNotFound(event.action.error))
      void saveLastSeen(owner, query.queryHash, undefined);
  });
}

function fill(query: Query, owner: string): void {
  const found = findLastSeen(owner, query.queryHash);
  if (found === undefined || query.state.data !== undefined) return;
  // Invalidated, so that it is fetched however long its answers stay fresh.
  query.setState({ data: found.data, dataUpdatedAt: found.at, status: 'success', isInvalidated: true });
}
