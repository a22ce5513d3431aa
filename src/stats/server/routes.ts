import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Routes, Session } from '../../base/server/serve.ts';
import { formatSize } from '../../base/text.ts';
import { uncelebrated } from '../celebrations.ts';
import type { Stats, statsCalls } from '../contract.ts';
import { latestEarned, milestonesOf } from '../milestones.ts';
import { byMonth, periodsOf } from '../periods.ts';
import { recordsOf } from '../records.ts';
import { averageMinutesOf, averagePerDate, categoriesOf, favoriteOf, totalMinutesOf } from '../rules.ts';
import { formatTotal } from '../totals.ts';
import { markMilestonesSeen, readSeenMilestones } from './celebration-store.ts';
import { completedDates, datesByStatus, memoryTotals, photographedDates, timeZoneOf } from './store.ts';

/** Reads the headline figures, for the statistics and the dashboard. */
export async function readStats(reader: Reader, coupleId: CoupleId): Promise<Stats> {
  const [dates, memories] = await Promise.all([completedDates(reader, coupleId), memoryTotals(reader, coupleId)]);
  const totalMinutes = totalMinutesOf(dates);
  return {
    totalMinutes,
    formattedTotalTime: formatTotal(totalMinutes),
    totalCompletedDates: dates.length,
    totalMemories: memories.total,
    recentAchievements: latestEarned(milestonesOf(dates)),
  };
}

/** The routes of the statistics (spec 7, contract 3). */
export function statsRoutes({ db }: Deps): Routes<typeof statsCalls> {
  const { read } = db;

  const categories = async (coupleId: CoupleId) => categoriesOf(await completedDates(read, coupleId));

  /** Reads the completed dates and groups them by the couple's calendar. */
  const calendar = async (coupleId: CoupleId, now: number) => {
    const [dates, zone] = await Promise.all([completedDates(read, coupleId), timeZoneOf(read, coupleId)]);
    return { dates, zone, months: byMonth(dates, now, zone) };
  };

  /** Reads the milestones to celebrate. The queries run one after the other, because `reader` may be a transaction. */
  const celebrations = async (reader: Reader, { coupleId, userId }: Session) => {
    const milestones = milestonesOf(await completedDates(reader, coupleId));
    return uncelebrated(milestones, await readSeenMilestones(reader, coupleId, userId));
  };

  return {
    'GET /api/Stats': ({ session }) => readStats(read, session.coupleId),

    'GET /api/Stats/time-together': async ({ session, now }) => {
      const { dates, zone, months } = await calendar(session.coupleId, now);
      const totalMinutes = totalMinutesOf(dates);
      const averageMinutes = averageMinutesOf(totalMinutes, dates.length);
      return {
        totalMinutes,
        formattedTotalTime: formatTotal(totalMinutes),
        averageMinutes,
        formattedAverageTime: formatTotal(averageMinutes),
        periods: periodsOf(months, now, zone),
        byMonth: months,
      };
    },

    'GET /api/Stats/dates': async ({ session, now }) => {
      const rows = await datesByStatus(read, session.coupleId, now);
      const of = (status: string) => rows.find((row) => row.status === status);
      return {
        total: rows.reduce((sum, { count }) => sum + count, 0),
        planned: of('Planned')?.count ?? 0,
        inProgress: of('InProgress')?.count ?? 0,
        completed: of('Completed')?.count ?? 0,
        cancelled: of('Cancelled')?.count ?? 0,
        upcoming: of('Planned')?.ahead ?? 0,
      };
    },

    'GET /api/Stats/memories': async ({ session, now }) => {
      const [{ total, bytes }, rows] = await Promise.all([
        memoryTotals(read, session.coupleId),
        datesByStatus(read, session.coupleId, now),
      ]);
      const completed = rows.find(({ status }) => status === 'Completed')?.count ?? 0;
      return {
        total,
        totalSizeBytes: bytes,
        formattedTotalSize: formatSize(bytes),
        averagePerDate: averagePerDate(total, completed),
      };
    },

    'GET /api/Stats/categories': ({ session }) => categories(session.coupleId),

    'GET /api/Stats/favorite-category': async ({ session }) => favoriteOf(await categories(session.coupleId)),

    'GET /api/Stats/achievements': async ({ session }) => milestonesOf(await completedDates(read, session.coupleId)),

    'GET /api/Stats/celebrations': ({ session }) => celebrations(read, session),

    'POST /api/Stats/celebrations': ({ session, body, now }) =>
      db.write(async (tx) => {
        const open = (await celebrations(tx, session)).filter(({ id }) => body.milestones.includes(id));
        const ids = open.map(({ id }) => id);
        const mine = await markMilestonesSeen(tx, session.coupleId, session.userId, ids, now);
        return open.filter(({ id }) => mine.includes(id));
      }),

    'GET /api/Stats/records': async ({ session, now }) => {
      const [{ dates, months }, photographed] = await Promise.all([
        calendar(session.coupleId, now),
        photographedDates(read, session.coupleId),
      ]);
      return recordsOf(dates, photographed, months);
    },
  };
}
