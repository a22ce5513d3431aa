import { createStore } from '../../../base/web/state/store.ts';
import { withTimeout } from '../../../base/web/storage/device-database.ts';
import { hasPageSessionEnded } from '../../../base/web/storage/page-session-end.ts';
import { storePhoto, type UnsentPhoto } from './unsent-store.ts';

/*
 * Storing the photographs that were taken here. Until one is stored or sent, it exists only on this page: closing it
 * asks. The page tries again to store those that it could not, because the device is full or its database fails.
 */

/** The state of storing a photograph on this device. */
export type Storing = 'running' | 'done' | 'failed';

/** How often the page tries again, in milliseconds: the user may have made space. */
const AGAIN_MS = 20_000;

/** The photographs that are not stored, by their ids. */
export const unstoredShots = createStore<ReadonlyMap<string, 'running' | 'failed'>>(new Map());

/** The state of storing a photograph that was taken here. */
export function storingOf(id: string): Storing {
  return unstoredShots.get().get(id) ?? 'done';
}

/**
 * Stores a photograph that was taken here, now or later.
 * @param details returns what is stored with it; null once it is sent or removed
 * @returns whether it is stored by now
 */
export async function storeShot(id: string, file: File, details: () => UnsentPhoto | null): Promise<boolean> {
  const attempt = async () => {
    const unsent = details();
    return unsent === null || (await storePhoto(unsent, file));
  };
  set(id, 'running');
  const first = attempt();
  if (await withTimeout(first)) {
    dropUnstored([id]);
    return true;
  }
  // Unless it was sent in the meantime.
  if (unstoredShots.get().has(id)) set(id, 'failed');
  void keepTrying(id, first, attempt);
  return false;
}

async function keepTrying(id: string, first: Promise<boolean>, attempt: () => Promise<boolean>): Promise<void> {
  for (let isStored = await first; !isStored && unstoredShots.get().has(id); isStored = await attempt()) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  dropUnstored([id]);
}

/** Forgets photographs that were stored, sent or removed. */
export function dropUnstored(ids: readonly string[]): void {
  for (const id of ids) set(id, 'done');
}

function set(id: string, storing: Storing): void {
  if (storingOf(id) === storing) return;
  const next = new Map(unstoredShots.get());
  if (storing === 'done') next.delete(id);
  else next.set(id, storing);
  unstoredShots.set(next);
  if (next.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}

/** Asks before the page is closed as long as a photograph exists only on it. Nothing can be saved once the session is over. */
function ask(event: BeforeUnloadEvent): void {
  if (!hasPageSessionEnded()) event.preventDefault();
}
