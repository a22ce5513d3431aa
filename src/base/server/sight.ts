import type { CoupleId, UserId } from '../ids.ts';

/** The partner who asks. */
export interface Viewer {
  readonly coupleId: CoupleId;
  readonly userId: UserId;
}

/** A partner, with the ids of the dates of which they may know only the time now. */
export interface Sight extends Viewer {
  readonly hiddenDates: readonly string[];
}

/** What two partners with the same sight of a couple's data share: the key of what is cached for both. */
export function sightKey({ coupleId, hiddenDates }: Sight): string {
  return JSON.stringify([coupleId, hiddenDates]);
}
