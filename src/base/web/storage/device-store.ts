/**
 * The localStorage keys that survive signing out, because they contain no data of the couple: appearance, floating
 * hearts, gallery layout and order, an end of the session that is not complete yet, and for reminders the device's random id and the
 * id of the user who turned them on.
 */
export const KEPT = ['appearance', 'hearts', 'gallery', 'order', 'leaving', 'device', 'reminded'] as const;
/** Whether a user was signed in at the last visit: a hint for prefetching the screen. */
const GUESSES = ['known'] as const;
/** Which dates were seen wrapped on this device: signing out deletes it (`dates/web/surprise`). */
const OF_COUPLE = ['wrapped'] as const;
type Key = (typeof KEPT)[number] | (typeof GUESSES)[number] | (typeof OF_COUPLE)[number];

/** Reads a stored value. Null if it isn't set or the browser blocks storage. */
export function recall(key: Key): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value on this device; null removes it. */
export function remember(key: Key, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage the next visit starts with the defaults.
  }
}

/**
 * The database of photos that were chosen but not uploaded yet. It survives an expired session, so that signing in again
 * continues the upload. Signing out deletes it.
 */
export const UNSENT = 'unsent-photographs';

/** The database of ideas and plans that were made offline and not sent yet. It has the same lifetime as `UNSENT`. */
export const OUTBOX = 'outbox';
/** The database of the last responses, for use without a connection. */
export const LAST_SEEN = 'last-seen';
