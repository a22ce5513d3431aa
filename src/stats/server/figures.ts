import type { CoupleId } from '../../base/ids.ts';
import type { Db, Reader } from '../../base/server/db/db.ts';
import type { Sight, Viewer } from '../../base/server/sight.ts';
import { openAlbumCache } from '../../dates/server/album-cache.ts';
import { readAsSeen } from '../../dates/server/surprise-store.ts';
import { readMemoryTotals } from '../../memories/server/count-store.ts';
import type { Stats } from '../contract.ts';
import { latestEarned, type Milestone, milestonesOf } from '../milestones.ts';
import { formatTotal } from '../totals.ts';
import {
  countByStatus,
  readCategories,
  readFirstEnded,
  readMonths,
  readMostPhotographed,
  readRecordDates,
  readTotals,
} from './store.ts';
import { readYears } from './year-store.ts';

/** The number of couples whose figures are cached. */
const MAX_COUPLES = 500;
/** Enough for nearly every couple's hundred hours. */
const FIRST_DATES = 200;

/** Reads the figures of a couple's history, which SQL sums up. They are cached until the couple's album changes. */
export function openFigures(db: Db) {
  const cached = <T>(read: (reader: Reader, coupleId: CoupleId) => Promise<T>) => {
    const find = openAlbumCache<T>(db, MAX_COUPLES);
    return (coupleId: CoupleId, now: number) => find({ coupleId, now }, () => read(db.read, coupleId));
  };
  /** What doesn't depend on completed dates alone. */
  const cachedBySight = <T>(read: (reader: Reader, sight: Sight) => Promise<T>) => {
    const find = openAlbumCache<T>(db, MAX_COUPLES);
    return (viewer: Viewer, now: number) => {
      const readAll = () => read(db.read, { ...viewer, hiddenDates: [] });
      const readSeen = () => readAsSeen(db.read, viewer, now, (sight) => read(db.read, sight));
      return find({ coupleId: viewer.coupleId, now }, readAll, readSeen);
    };
  };
  const totals = cached(readTotals);
  const memories = cachedBySight((reader, sight) => readMemoryTotals(reader, sight));
  const milestones = cached(readMilestones);
  return {
    totals,
    milestones,
    memories,
    months: cached(readMonths),
    categories: cached(readCategories),
    recordDates: cached(readRecordDates),
    mostPhotographed: cachedBySight(readMostPhotographed),
    statuses: cached(countByStatus),
    years: cached(readYears),
    /** The headline figures, for the statistics and the dashboard. */
    stats: async (viewer: Viewer, now: number): Promise<Stats> => {
      const [{ dates, minutes }, { memories: totalMemories }, earned] = await Promise.all([
        totals(viewer.coupleId, now),
        memories(viewer, now),
        milestones(viewer.coupleId, now),
      ]);
      return {
        totalMinutes: minutes,
        formattedTotalTime: formatTotal(minutes),
        totalCompletedDates: dates,
        totalMemories,
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
