import { within } from '../../../base/web/device-database.ts';
import { isOver } from '../../../base/web/device-store.ts';
import { lastChances } from '../../../base/web/forget.ts';
import { rescueShots } from './rescue-shots.tsx';
import { storePhoto, type UnsentPhoto } from './unsent-store.ts';

/*
 * The photographs taken here that this device could not store, because it is full or its database fails. They exist only
 * on this page until they are sent: closing it asks, and the page tries again to store them. Closing it also asks while
 * one is being stored for the first time.
 */

interface Shot {
  readonly photo: UnsentPhoto;
  readonly file: File;
  readonly onStored: () => void;
  /** The running attempt to store it, which may wait for the database for long. */
  storing: Promise<boolean> | null;
}

/** How often the page tries again, in milliseconds: the user may have made space. */
const AGAIN_MS = 20_000;

const shots = new Map<string, Shot>();
const listeners = new Set<() => void>();
let ids: ReadonlySet<string> = new Set();
/** The ids of those that are being stored for the first time. */
const begun = new Set<string>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Subscribes to changes of `unstoredIds`. Returns a function that unsubscribes. */
export function onUnstored(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The ids of the photographs that exist only on this page. */
export function unstoredIds(): ReadonlySet<string> {
  return ids;
}

/**
 * Stores a photograph that was taken here. One that takes too long may still be stored later.
 * @param onStored called when it is stored, also later
 * @returns whether it is stored
 */
export async function storeShot(photo: UnsentPhoto, file: File, onStored = () => undefined as void): Promise<boolean> {
  const shot: Shot = { photo, file, onStored, storing: null };
  begun.add(photo.id);
  guard();
  const isStored = (await within(store(shot))) === true;
  if (!isStored) {
    begun.delete(photo.id);
    shots.set(photo.id, shot);
    changed();
  }
  return isStored;
}

/** Forgets photographs that were sent or removed. */
export function dropUnstored(gone: readonly string[]): void {
  for (const id of gone) begun.delete(id);
  const found = gone.filter((id) => shots.delete(id));
  if (found.length > 0) changed();
  else guard();
}

function store(shot: Shot): Promise<boolean> {
  shot.storing ??= tryToStore(shot).finally(() => {
    shot.storing = null;
  });
  return shot.storing;
}

async function tryToStore(shot: Shot): Promise<boolean> {
  const isStored = await storePhoto(shot.photo, shot.file);
  if (!isStored) return false;
  dropUnstored([shot.photo.id]);
  shot.onStored();
  return true;
}

const storeAgain = () => Promise.all([...shots.values()].map(store));

function changed(): void {
  ids = new Set(shots.keys());
  clearInterval(timer);
  if (ids.size > 0) timer = setInterval(() => void storeAgain(), AGAIN_MS);
  guard();
  for (const listener of listeners) listener();
}

/** Asks before the page is closed as long as a photograph exists only on it. */
function guard(): void {
  if (ids.size + begun.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}

function ask(event: BeforeUnloadEvent): void {
  // If the page is over, the user has been asked, unless they are being offered as files.
  if (!isOver() || isRescuing) event.preventDefault();
}

let isRescuing = false;

/**
 * Runs before an expired session replaces this page. It has made space by then, since it has deleted what was last seen.
 * What still can't be stored is offered as files.
 */
async function rescue(): Promise<void> {
  await within(storeAgain());
  if (shots.size === 0) return;
  isRescuing = true;
  await rescueShots([...shots.values()].map(({ file }) => file));
  isRescuing = false;
}

lastChances.add(rescue);
