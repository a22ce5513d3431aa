import type { CoupleId, UserId } from '../ids.ts';

/** The partner who asks. */
export interface Viewer {
  readonly coupleId: CoupleId;
  readonly userId: UserId;
}

/** A partner, with the ids of the dates of which they may know only the time now. */
export interface Visibility extends Viewer {
  readonly hiddenDates: readonly string[];
}

/** What two partners with the same visibility of a couple's data share: the key of what is cached for both. */
export function visibilityKey({ coupleId, hiddenDates }: Visibility): string {
  return JSON.stringify([coupleId, hiddenDates]);
}
