import type { Query } from '@tanstack/react-query';
import { isOffline, userId } from '../../../auth/web/session/session.ts';
import { ApiError } from '../../../base/web/api.ts';
import { findSeen, keepSeen } from '../../../base/web/last-seen.ts';

/** The parts of the album that can be looked at offline, by the first part of the queries' keys. */
const ALBUM = new Set(['ideas', 'dates', 'memories', 'stats', 'home']);

/** The user of whom this is kept, or null where it is not. */
function ownerOf({ queryKey }: Query): string | null {
  return ALBUM.has(String(queryKey[0])) ? userId() : null;
}

export async function keep(query: Query, data: unknown): Promise<void> {
  const owner = ownerOf(query);
  if (owner !== null) await keepSeen(owner, query.queryHash, data);
}

/**
 * What was last seen, where the server cannot be reached and nothing better is here; else it throws the error. A
 * connection that breaks while the browser is online is told as the failure that it is.
 */
export async function insteadOf<T>(query: Query, error: unknown): Promise<T> {
  const owner = ownerOf(query);
  const lost = error instanceof ApiError && error.status === 0 && isOffline();
  if (!lost || owner === null || query.state.data !== undefined) throw error;
  const found = await findSeen(owner, query.queryHash);
  if (found === undefined) throw error;
  return found as T;
}
