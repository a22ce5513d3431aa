import type { UserId } from '../base/ids.ts';
import { isLeftOut } from './look-back.ts';
import { NO_TEXTS, type OptionalTexts } from './optional-texts.ts';
import { isHiddenFrom, type Sealable, SURPRISE_TITLE, type Surprise, surpriseVisibleTo } from './surprises.ts';

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
