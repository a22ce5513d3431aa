import type { CoupleId } from '../../base/ids.ts';
import type { Db, Reader } from '../../base/server/db/db.ts';
import type { Viewer } from '../../base/server/sight.ts';
import { openAlbumCache, openSeenCache } from '../../dates/server/album-cache.ts';
import type { FindMemoryTotals } from '../../memories/server/lists.ts';
import type { Stats } from '../contract.ts';
import { latestEarned, type Milestone, milestonesOf } from '../milestones.ts';
import { sumOf } from '../periods.ts';
import { formatTotal } from '../totals.ts';
import {
  countByStatus,
  readCategories,
  readFirstEnded,
  readMonths,
  readMostPhotographed,
  readRecordDates,
} from './store.ts';
import { readYears } from './year-store.ts';

/** The number of couples whose figures are cached. */
const MAX_COUPLES = 500;
/** Enough for nearly every couple's hundred hours. */
const FIRST_DATES = 200;

/** Reads the figures of a couple's history, which SQL sums up. They are cached until the couple's album changes. */
export function openFigures(db: Db, memoryTotals: FindMemoryTotals) {
  const cached = <T>(read: (reader: Reader, coupleId: CoupleId) => Promise<T>) => {
    const find = openAlbumCache<T>(db, MAX_COUPLES);
    return (coupleId: CoupleId, now: number) => find({ coupleId, now }, () => read(db.read, coupleId));
  };
  const categories = cached(readCategories);
  const totals = async (coupleId: CoupleId, now: number) => sumOf(await categories(coupleId, now));
  const milestones = cached(readMilestones);
  return {
    totals,
    milestones,
    memories: memoryTotals,
    months: cached(readMonths),
    categories,
    recordDates: cached(readRecordDates),
    mostPhotographed: openSeenCache(db, MAX_COUPLES, readMostPhotographed),
    statuses: cached(countByStatus),
    years: cached(readYears),
    /** The headline figures, for the statistics and the dashboard. */
    stats: async (viewer: Viewer, now: number): Promise<Stats> => {
      const [{ dates, minutes }, { memories }, earned] = await Promise.all([
        totals(viewer.coupleId, now),
        memoryTotals(viewer, now),
        milestones(viewer.coupleId, now),
      ]);
      return {
        totalMinutes: minutes,
        formattedTotalTime: formatTotal(minutes),
        totalCompletedDates: dates,
        totalMemories: memories,
        recentAchievements: latestEarned(earned),
      };
    },
  };
}

export type Figures = ReturnType<typeof openFigures>;

/**
 * Reads the milestones. Once all are reached, later dates change nothing, so the dates that ended first are read first.
 * The queries run one after the other, because `reader` may be a transaction.
 */
export async function readMilestones(reader: Reader, coupleId: CoupleId): Promise<Milestone[]> {
  const first = await readFirstEnded(reader, coupleId, FIRST_DATES);
  const milestones = milestonesOf(first);
  if (first.length < FIRST_DATES || milestones.every(({ earnedAt }) => earnedAt !== null)) return milestones;
  return milestonesOf(await readFirstEnded(reader, coupleId, null));
}
