import type { CoupleId } from '../../../base/ids.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { dateCalls } from '../../contract.ts';
import type { MemoriesOfDates } from '../memories-of-dates.ts';

/**
 * The port through which the undo of 'We went!' takes back which milestones both partners have been shown since a moment,
 * if they are no longer reached. The statistics implement it.
 */
export type TakeBackCelebrations = (tx: Writer, coupleId: CoupleId, since: number) => Promise<void>;

/** What the calls of planned dates use. */
export interface DateDeps extends Pick<Deps, 'db' | 'announce'> {
  readonly photos: MemoriesOfDates;
  readonly takeBackCelebrations: TakeBackCelebrations;
}

export type DateRoutes = Routes<typeof dateCalls>;
