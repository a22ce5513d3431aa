import type { CoupleId } from '../../base/ids.ts';
import { formatSize } from '../../base/number-texts.ts';
import type { Reader } from '../../base/server/db/db.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import { readAsVisible } from '../../dates/server/visibility-store.ts';
import { countMemories, readMemoryTotals } from '../../memories/server/count-store.ts';
import { averageMinutesOf, averagePerDate } from '../averages.ts';
import { type CompletedDate, totalMinutesOf } from '../completed-dates.ts';
import type { Stats } from '../contract.ts';
import { latestEarned, type Milestone, milestonesOf } from '../milestones.ts';
import { byMonth, periodsOf } from '../periods.ts';
import { recordsOf } from '../records.ts';
import { formatTotal } from '../total-texts.ts';
import { countAhead, countByStatus, readCompletedDates, readPhotographedDates, timeZoneOf } from './store.ts';

/** Reads the headline figures, for the statistics and the dashboard. @param completed the completed dates */
export async function readStats(
  reader: Reader,
  viewer: Viewer,
  now: number,
  completed: Promise<readonly CompletedDate[]>,
): Promise<Stats> {
  const [dates, totalMemories] = await Promise.all([
    completed,
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

/** Reads the time together, by month of the couple's calendar too. @param completed the completed dates */
export async function readTimeTogether(
  reader: Reader,
  coupleId: CoupleId,
  now: number,
  completed: Promise<readonly CompletedDate[]>,
) {
  const [zone, dates] = await Promise.all([timeZoneOf(reader, coupleId), completed]);
  const months = byMonth(dates, now, zone);
  const minutes = totalMinutesOf(dates);
  const averageMinutes = averageMinutesOf(minutes, dates.length);
  return {
    totalMinutes: minutes,
    formattedTotalTime: formatTotal(minutes),
    averageMinutes,
    formattedAverageTime: formatTotal(averageMinutes),
    periods: periodsOf(months, now, zone),
    byMonth: months,
  };
}

/** Counts the dates by status. */
export async function readDateFigures(reader: Reader, coupleId: CoupleId, now: number) {
  const [counts, upcoming] = await Promise.all([countByStatus(reader, coupleId), countAhead(reader, coupleId, now)]);
  return {
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    planned: counts.get('Planned') ?? 0,
    inProgress: counts.get('InProgress') ?? 0,
    completed: counts.get('Completed') ?? 0,
    cancelled: counts.get('Cancelled') ?? 0,
    upcoming,
  };
}

/** Counts the memories that a partner may see. */
export async function readMemoryFigures(reader: Reader, viewer: Viewer, now: number) {
  const [{ memories: total, bytes }, counts] = await Promise.all([
    readAsVisible(reader, viewer, now, (visibility) => readMemoryTotals(reader, visibility)),
    countByStatus(reader, viewer.coupleId),
  ]);
  return {
    total,
    totalSizeBytes: bytes,
    formattedTotalSize: formatSize(bytes),
    averagePerDate: averagePerDate(total, counts.get('Completed') ?? 0),
  };
}

/** Reads the records that a partner may see. @param completed the completed dates */
export async function readRecords(
  reader: Reader,
  viewer: Viewer,
  now: number,
  completed: Promise<readonly CompletedDate[]>,
) {
  const [zone, dates, photographed] = await Promise.all([
    timeZoneOf(reader, viewer.coupleId),
    completed,
    readAsVisible(reader, viewer, now, (visibility) => readPhotographedDates(reader, visibility)),
  ]);
  return recordsOf(dates, photographed, byMonth(dates, now, zone));
}
