import { isServer } from './first.ts';

/**
 * What this device remembers between visits. All of it goes when somebody signs out, save what says nothing of the
 * couple: how the app looks here, whether its hearts float, whether the gallery is a grid or a list, that a sign-out is
 * still to be sent to the server, and a random id by which reminders know the device.
 */
export const KEPT = ['appearance', 'hearts', 'gallery', 'leaving', 'device'] as const;
/** That somebody was signed in at the last visit: a guess, by which the screen asked for is fetched ahead. */
const GUESSES = ['known'] as const;
type Key = (typeof KEPT)[number] | (typeof GUESSES)[number];

/** The remembered text, or null; null too where the browser keeps nothing (private windows, blocked storage). */
export function recall(key: Key): string | null {
  try {
    return isServer ? null : localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Remembers a text on this device; null forgets it. */
export function remember(key: Key, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A device that keeps nothing looks, next time, as if it were new: nothing worse.
  }
}

/**
 * The database of the photographs chosen for upload and not yet sent. It outlives a session that ended under our hands,
 * so that signing in again continues the upload (issue 4); a signing out takes it too.
 */
export const UNSENT = 'unsent-photographs';

/** The database of what was added while offline and not yet sent; it outlives the same, and goes with the same. */
export const OUTBOX = 'outbox';
/** The database of what the screens showed last, for when the server cannot be reached. */
export const LAST_SEEN = 'last-seen';

/** Whether this page's session is over: what still arrives for it is not kept any more. */
let over = false;

export function isOver(): boolean {
  return over;
}

export function beOver(): void {
  over = true;
}
