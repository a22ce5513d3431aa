import type { UserId } from '../base/ids.ts';
import { NO_TEXTS, type OptionalTexts } from './optional-texts.ts';
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

/** Whether a user doesn't want to look back on a date. @param notLookedBackBy as stored */
export function isLeftOut(user: UserId, notLookedBackBy: string | null): boolean {
  return notLookedBackBy?.split(',').includes(user) ?? false;
}

/** What to store after a user has said whether to look back on a date. */
export function withLookBack(user: UserId, notLookedBackBy: string | null, shown: boolean): string | null {
  const others = (notLookedBackBy?.split(',') ?? []).filter((id) => id !== user);
  return (shown ? others : [...others, user]).join() || null;
}

/** A date as stored, with the fields of its idea. Times are milliseconds. */
export interface StoredDate extends Sealable, OptionalTexts {
  readonly id: string;
  readonly endDateTime: number | null;
  readonly actualStartTime: number | null;
  readonly actualEndTime: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
  /** The version and the time of the last change that shows while it is a surprise; null if it never was one. */
  readonly shownVersion: number | null;
  readonly shownUpdatedAt: number | null;
  readonly ideaId: string;
  readonly title: string;
  readonly description: string | null;
  readonly category: string;
  /** The ids of the users who don't want to look back on it, joined by commas. */
  readonly notLookedBackBy: string | null;
}

/** A date as one partner may see it. */
export interface VisibleDate
  extends Omit<
    StoredDate,
    'ideaId' | 'category' | 'surpriseBy' | 'revealedAt' | 'shownVersion' | 'shownUpdatedAt' | 'notLookedBackBy'
  > {
  /** Null if it is hidden. */
  readonly ideaId: string | null;
  readonly category: string | null;
  readonly surprise: Surprise;
  /** Whether the viewer wants to look back on it. */
  readonly lookBack: boolean;
  /** Whether the viewer may know only its time. */
  readonly isHidden: boolean;
}

/**
 * Decides what a partner may see of a date. Every date that leaves the server goes through here: without the what and the
 * where of a surprise, and with the version and the time of the last change that shows.
 */
export function dateVisibleTo(viewer: UserId, date: StoredDate, now: number): VisibleDate {
  const { surpriseBy: _, revealedAt: __, shownVersion, shownUpdatedAt, notLookedBackBy, ...own } = date;
  const lookBack = !isLeftOut(viewer, notLookedBackBy);
  const surprise = surpriseVisibleTo(viewer, date, now);
  if (!isHiddenFrom(viewer, date, now)) return { ...own, surprise, lookBack, isHidden: false };
  // Field by field: a new field does not compile until somebody decides whether the partner may see it.
  return {
    id: date.id,
    status: date.status,
    plannedDateTime: date.plannedDateTime,
    endDateTime: date.endDateTime,
    ...NO_TEXTS,
    actualStartTime: null,
    actualEndTime: null,
    createdAt: date.createdAt,
    updatedAt: shownUpdatedAt ?? date.updatedAt,
    version: shownVersion ?? date.version,
    ideaId: null,
    title: SURPRISE_TITLE,
    description: null,
    category: null,
    surprise,
    lookBack,
    isHidden: true,
  };
}
