import type { UserId } from '../base/ids.ts';
import type { DateStatus } from './rules.ts';

/** What the partner of its planner reads of a surprise instead of its title, until it is revealed (secrets.surprises.1). */
export const SURPRISE_TITLE = 'A surprise';

/** Why the partner can't change a surprise. @param name the display name of its planner */
export function surpriseRefusal(name: string): string {
  return `This date is a surprise. Only ${name} can change it.`;
}

/** Why only one partner can make a date a surprise, or reveal it. */
export const NOT_THE_PLANNER = 'Only the partner who planned this date can make it a surprise.';

/** What a date shows of being a surprise; null if it never was one. */
export type Surprise = { readonly mine: boolean; readonly revealed: boolean } | null;

/** What decides whether a date is a surprise that isn't revealed. */
export interface Sealable {
  readonly status: DateStatus;
  /** Milliseconds. */
  readonly plannedDateTime: number;
  /** Who plans it as a surprise; null if it never was one. */
  readonly surpriseBy: UserId | null;
  /** When it was revealed, if not by its time; null otherwise. */
  readonly revealedAt: number | null;
}

/**
 * Whether a date is a surprise that isn't revealed yet. Starting, completing and cancelling it reveal it, and so does its
 * time (dates.surprises.2).
 */
export function isSealed({ status, plannedDateTime, surpriseBy, revealedAt }: Sealable, now: number): boolean {
  return surpriseBy !== null && revealedAt === null && status === 'Planned' && now < plannedDateTime;
}

/** Whether a partner may know only the time of a date. */
export function isHiddenFrom(viewer: UserId, date: Sealable, now: number): boolean {
  return date.surpriseBy !== viewer && isSealed(date, now);
}

/** What a partner sees of a date as a surprise. */
export function surpriseVisibleTo(viewer: UserId, date: Sealable, now: number): Surprise {
  return date.surpriseBy === null ? null : { mine: date.surpriseBy === viewer, revealed: !isSealed(date, now) };
}
