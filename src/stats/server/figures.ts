import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import { readAsVisible } from '../../dates/server/surprise-store.ts';
import { countMemories } from '../../memories/server/count-store.ts';
import type { Stats } from '../contract.ts';
import { latestEarned, type Milestone, milestonesOf } from '../milestones.ts';
import { totalMinutesOf } from '../rules.ts';
import { formatTotal } from '../totals.ts';
import { readCompletedDates } from './store.ts';

/** Reads the headline figures, for the statistics and the dashboard. */
export async function readStats(reader: Reader, viewer: Viewer, now: number): Promise<Stats> {
  const [dates, totalMemories] = await Promise.all([
    readCompletedDates(reader, viewer.coupleId),
    readAsVisible(reader, viewer, now, (visibility) => countMemories(reader, visibility)),
  ]);
  const totalMinutes = totalMinutesOf(dates);
  return {
    totalMinutes,
    formattedTotalTime: formatTotal(totalMinutes),
    totalCompletedDates: dates.length,
    totalMemories,
    recentAchievements: latestEarned(milestonesOf(dates)),
  };
}

/** Reads the milestones with their progress. */
export async function readMilestones(reader: Reader, coupleId: CoupleId): Promise<Milestone[]> {
  return milestonesOf(await readCompletedDates(reader, coupleId));
}
