import type { Reader } from '../../base/server/db/db.ts';
import type { Viewer } from '../../base/server/visibility.ts';

/** The port through which ideas read their plan counts. The dates slice implements it. */
export interface PlanCounts {
  /**
   * Counts the plans that a partner may know of by idea, without cancelled and deleted ones; of all ideas if null. Ideas
   * never planned may be missing.
   */
  countByIdea(
    reader: Reader,
    viewer: Viewer,
    now: number,
    ideaIds: readonly string[] | null,
  ): Promise<ReadonlyMap<string, PlanCount>>;
  /** Returns the ids of the ideas with a date that is planned or in progress, as far as a partner may know. */
  busyIdeas(reader: Reader, viewer: Viewer, now: number): Promise<ReadonlySet<string>>;
}

export interface PlanCount {
  readonly count: number;
  /** The latest planned time, in milliseconds. */
  readonly last: number | null;
}

/** The count of an idea that was never planned. */
export const NEVER_PLANNED: PlanCount = { count: 0, last: null };
