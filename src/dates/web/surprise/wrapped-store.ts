import { recall, remember } from '../../../base/web/storage/device-store.ts';
import { hasPageSessionEnded } from '../../../base/web/storage/page-session-end.ts';

/**
 * The surprises that a user has seen wrapped on this device. Each is unwrapped once, when it is first seen revealed, and
 * then forgotten here. It names dates only by their ids, and signing out deletes it.
 */
interface Wrapped {
  readonly owner: string;
  readonly ids: readonly string[];
}

/** The oldest are forgotten: they are then shown unwrapped without further ado. */
const MOST = 50;

function idsOf(owner: string): readonly string[] {
  try {
    const stored = JSON.parse(recall('wrapped') ?? 'null') as Wrapped | null;
    return stored?.owner === owner ? stored.ids : [];
  } catch {
    return [];
  }
}

function store(owner: string, ids: readonly string[]): void {
  if (hasPageSessionEnded()) return;
  remember('wrapped', ids.length === 0 ? null : JSON.stringify({ owner, ids } satisfies Wrapped));
}

/** Remembers that a user has seen a date wrapped. */
export function rememberWrapped(owner: string, id: string): void {
  const ids = idsOf(owner);
  if (!ids.includes(id)) store(owner, [...ids, id].slice(-MOST));
}

/** Returns whether a user has seen a date only wrapped so far, and forgets it: it is unwrapped now. */
export function takeWrapped(owner: string, id: string): boolean {
  const ids = idsOf(owner);
  if (!ids.includes(id)) return false;
  store(
    owner,
    ids.filter((one) => one !== id),
  );
  return true;
}
