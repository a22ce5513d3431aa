import { within } from '../../../base/web/device-database.ts';
import { isOver } from '../../../base/web/device-store.ts';
import { lastChances, type Unsent } from '../../../base/web/forget.ts';
import { rescueShots } from './rescue-shots.tsx';
import { storePhoto, type UnsentPhoto } from './unsent-store.ts';

/*
 * The photographs taken here that this device is storing for the first time, and those that it could not store, because
 * it is full or its database fails. They exist only on this page until they are stored or sent: closing it asks. The page
 * tries again to store those that it could not.
 */

interface Shot {
  readonly photo: UnsentPhoto;
  readonly file: File;
  readonly onStored: () => void;
  /** The running attempt to store it, which may wait for the database for long. */
  storing: Promise<boolean> | null;
  isStored: boolean;
}

/** How often the page tries again, in milliseconds: the user may have made space. */
const AGAIN_MS = 20_000;

/** Those that are being stored for the first time, by their ids. */
const begun = new Map<string, Shot>();
/** Those that could not be stored, by their ids. */
const shots = new Map<string, Shot>();
const listeners = new Set<() => void>();
let ids: ReadonlySet<string> = new Set();
let timer: ReturnType<typeof setInterval> | undefined;

/** Subscribes to changes of `unstoredIds` and `storingOf`. Returns a function that unsubscribes. */
export function onUnstored(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The ids of the photographs that could not be stored, and exist only on this page. */
export function unstoredIds(): ReadonlySet<string> {
  return ids;
}

/** How far storing a photograph on this device is. */
export type Storing = 'running' | 'done' | 'failed';

/** How far storing a photograph that was taken here is. */
export function storingOf(id: string): Storing {
  if (shots.has(id)) return 'failed';
  return begun.has(id) ? 'running' : 'done';
}

/**
 * Stores a photograph that was taken here. One that takes too long may still be stored later.
 * @param onStored called when it is stored, also later
 * @returns whether it is stored
 */
export async function storeShot(photo: UnsentPhoto, file: File, onStored = () => undefined as void): Promise<boolean> {
  const shot: Shot = { photo, file, onStored, storing: null, isStored: false };
  begun.set(photo.id, shot);
  changed();
  const isStored = (await within(store(shot))) === true;
  // Unless it was sent or removed in the meantime.
  if (!isStored && begun.delete(photo.id)) {
    shots.set(photo.id, shot);
    changed();
  }
  return isStored;
}

/** Forgets photographs that were stored, sent or removed. */
export function dropUnstored(gone: readonly string[]): void {
  const found = gone.filter((id) => [begun.delete(id), shots.delete(id)].includes(true));
  if (found.length > 0) changed();
}

function store(shot: Shot): Promise<boolean> {
  shot.storing ??= tryToStore(shot).finally(() => {
    shot.storing = null;
  });
  return shot.storing;
}

async function tryToStore(shot: Shot): Promise<boolean> {
  shot.isStored ||= await storePhoto(shot.photo, shot.file);
  if (!shot.isStored) return false;
  // Once the session is over, what is stored may be deleted: `rescue` decides.
  if (!isOver()) dropUnstored([shot.photo.id]);
  shot.onStored();
  return true;
}

const storeAll = (some: Iterable<Shot>) => Promise.all([...some].map(store));

function changed(): void {
  if (ids.size !== shots.size || [...shots.keys()].some((id) => !ids.has(id))) ids = new Set(shots.keys());
  clearInterval(timer);
  if (ids.size > 0) timer = setInterval(() => void storeAll(shots.values()), AGAIN_MS);
  if (begun.size + shots.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
  for (const listener of listeners) listener();
}

/** Asks before the page is closed as long as a photograph exists only on it. */
function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/**
 * Runs when the session has ended and the device is cleared, before this page is replaced. The device may have room now,
 * so it first tries again to store them, unless what is stored is deleted. It offers as files what would be lost.
 */
async function rescue(unsent: Unsent): Promise<void> {
  // One may be taken while others are offered.
  while (begun.size + shots.size > 0) {
    const found = new Map([...begun, ...shots]);
    if (unsent === 'kept') await within(storeAll(found.values()));
    const lost = [...found.values()].filter(({ isStored }) => !isStored || unsent === 'deleted');
    if (lost.length > 0 && unsent !== 'given up') await rescueShots(lost.map(({ file }) => file));
    dropUnstored([...found.keys()]);
  }
}

lastChances.add(rescue);
