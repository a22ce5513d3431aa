import { DAY, HOUR } from '../base/durations.ts';

/** Whose a photo is that another app has shared, and since when it waits in the service worker's cache. */
export interface SharedBy {
  /** In milliseconds; NaN if it is unknown. */
  readonly at: number;
  /** The last user of the device at that moment; null if nobody was known. */
  readonly owner: string | null;
  /** The id of its share, which is in the address that the share opened. */
  readonly share: string;
}

/** A user who opens the upload page, and the id of the share in its address. */
export interface Visit {
  readonly userId: string;
  readonly share: string | null;
}

/**
 * Whether a shared photo has waited too long. Then it exists only in the app that shared it. If nobody was known, it waits
 * only for the sign-in to which the share led: somebody else may use that page later.
 */
export function isShareOver({ at, owner }: SharedBy, now: number): boolean {
  return !(now - at < (owner === null ? HOUR : DAY));
}

/** Whether a visitor gets a shared photo: the last user of the device, or if none was known the user whom the share led here. */
export function isSharedWith(by: SharedBy, { userId, share }: Visit): boolean {
  return by.owner === null ? by.share === share : by.owner === userId;
}
