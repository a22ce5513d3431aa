import type { Query } from '@tanstack/react-query';
import { isOffline, userId } from '../../../auth/web/session/session.ts';
import { ApiError } from '../../../base/web/api.ts';
import { findLastSeen, saveLastSeen } from '../../../base/web/last-seen.ts';

/** The queries that work offline, by the first part of their keys. */
const SAVED_KEYS = new Set(['ideas', 'dates', 'memories', 'stats', 'home']);

/** The user whose data the query holds, or null if it is not saved. */
function ownerOf({ queryKey }: Query): string | null {
  return SAVED_KEYS.has(String(queryKey[0])) ? userId() : null;
}

/** Saves a query's data on this device, for offline use. */
export async function saveQuery(query: Query, data: unknown): Promise<void> {
  const owner = ownerOf(query);
  if (owner !== null) await saveLastSeen(owner, query.queryHash, data);
}

/**
 * Returns the query's saved data while the device is offline and the query has no other data.
 * @throws `error` in all other cases, so a request that fails while the device is online shows as a failure
 */
export async function loadSavedQuery<T>(query: Query, error: unknown): Promise<T> {
  const owner = ownerOf(query);
  const hasNoConnection = error instanceof ApiError && error.status === 0 && isOffline();
  if (!hasNoConnection || owner === null || query.state.data !== undefined) throw error;
  const found = await findLastSeen(owner, query.queryHash);
  if (found === undefined) throw error;
  return found as T;
}

/** Returns the saved data of a query that has no other data, or else what is being fetched. */
export async function preferSaved<T>(query: Query, fetched: Promise<T>): Promise<T> {
  // Not awaited if saved data is found.
  fetched.catch(() => undefined);
  const owner = ownerOf(query);
  const saved =
    owner === null || query.state.data !== undefined ? undefined : await findLastSeen(owner, query.queryHash);
  return saved === undefined ? fetched : (saved as T);
}
