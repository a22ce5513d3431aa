import type { CoupleId } from '../../base/ids.ts';
import { notFound } from '../../base/refusal.ts';
import type { Routes, Session } from '../../base/server/calls/serve.ts';
import type { Reader } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { formatSize } from '../../base/text.ts';
import { readAsVisible } from '../../dates/server/surprise-store.ts';
import { readMutualIdeas } from '../../ideas/server/heart-store.ts';
import { readMemoryTotals } from '../../memories/server/count-store.ts';
import { toMemory } from '../../memories/server/memory.ts';
import { countMutualNotes } from '../../notes/server/store.ts';
import { uncelebrated } from '../celebrations.ts';
import type { statsCalls, Year } from '../contract.ts';
import { MILESTONES } from '../milestones.ts';
import { byMonth, periodsOf } from '../periods.ts';
import { recordsOf } from '../records.ts';
import { averageMinutesOf, averagePerDate, categoriesOf, favoriteOf, totalMinutesOf } from '../rules.ts';
import { formatTotal } from '../totals.ts';
import { datesToShow, figuresOfYear, startOfYear } from '../year.ts';
import { markMilestonesSeen, readSeenMilestones } from './celebration-store.ts';
import { readMilestones, readStats } from './figures.ts';
import { countAhead, countByStatus, readCompletedDates, readPhotographedDates, timeZoneOf } from './store.ts';
import { countNewIdeas, memoryOfEach, readYears } from './year-store.ts';

/** Reads the story of a year; null without a completed date in it (stats.year.2). */
async function readYear(reader: Reader, coupleId: CoupleId, year: number): Promise<Year | null> {
  const { zone, years } = await readYears(reader, coupleId);
  const dates = years.find((one) => one.year === year)?.dates;
  if (!dates) return null;
  const span = { from: startOfYear(year, zone), until: startOfYear(year + 1, zone) };
  const shown = datesToShow(
    dates.filter(({ memories }) => memories > 0),
    zone,
  );
  const memories = await memoryOfEach(
    reader,
    coupleId,
    shown.map(({ id }) => id),
  );
  return {
    ...figuresOfYear(year, dates, zone),
    newIdeas: await countNewIdeas(reader, coupleId, span),
    mutualNotes: await countMutualNotes(reader, coupleId, span),
    photographs: shown.flatMap(({ id }) => memories.get(id) ?? []).map(toMemory),
  };
}

/** Reads what to celebrate. The queries run one after the other, because `reader` may be a transaction. */
async function readCelebrations(reader: Reader, { coupleId, userId }: Session, now: number) {
  const seen = await readSeenMilestones(reader, coupleId, userId);
  const isEverySeen = MILESTONES.every(({ id }) => seen.includes(id));
  const mutual = await readMutualIdeas(reader, coupleId, userId);
  return uncelebrated(isEverySeen ? [] : await readMilestones(reader, coupleId), seen, now, mutual);
}

/** The routes of the statistics. */
export function statsRoutes({ db }: Deps): Routes<typeof statsCalls> {
  /** Reads the completed dates, by month of the couple's calendar too. */
  const readByMonth = async (coupleId: CoupleId, now: number) => {
    const [zone, dates] = await Promise.all([timeZoneOf(db.read, coupleId), readCompletedDates(db.read, coupleId)]);
    return { zone, dates, months: byMonth(dates, now, zone) };
  };

  return {
    'GET /api/Stats': ({ session, now }) => readStats(db.read, session, now),

    'GET /api/Stats/time-together': async ({ session, now }) => {
      const { zone, dates, months } = await readByMonth(session.coupleId, now);
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
    },

    'GET /api/Stats/dates': async ({ session, now }) => {
      const [counts, upcoming] = await Promise.all([
        countByStatus(db.read, session.coupleId),
        countAhead(db.read, session.coupleId, now),
      ]);
      return {
        total: [...counts.values()].reduce((sum, count) => sum + count, 0),
        planned: counts.get('Planned') ?? 0,
        inProgress: counts.get('InProgress') ?? 0,
        completed: counts.get('Completed') ?? 0,
        cancelled: counts.get('Cancelled') ?? 0,
        upcoming,
      };
    },

    'GET /api/Stats/memories': async ({ session, now }) => {
      const [{ memories: total, bytes }, counts] = await Promise.all([
        readAsVisible(db.read, session, now, (visibility) => readMemoryTotals(db.read, visibility)),
        countByStatus(db.read, session.coupleId),
      ]);
      return {
        total,
        totalSizeBytes: bytes,
        formattedTotalSize: formatSize(bytes),
        averagePerDate: averagePerDate(total, counts.get('Completed') ?? 0),
      };
    },

    'GET /api/Stats/categories': async ({ session }) =>
      categoriesOf(await readCompletedDates(db.read, session.coupleId)),

    'GET /api/Stats/favorite-category': async ({ session }) =>
      favoriteOf(categoriesOf(await readCompletedDates(db.read, session.coupleId))),

    'GET /api/Stats/achievements': ({ session }) => readMilestones(db.read, session.coupleId),

    'GET /api/Stats/celebrations': ({ session, now }) => readCelebrations(db.read, session, now),

    'POST /api/Stats/celebrations': ({ session, body, now }) =>
      db.write(async (tx) => {
        const open = (await readCelebrations(tx, session, now)).filter(({ id }) => body.milestones.includes(id));
        const ids = open.map(({ id }) => id);
        const mine = await markMilestonesSeen(tx, session.coupleId, session.userId, ids, now);
        return open.filter(({ id }) => mine.includes(id));
      }),

    'GET /api/Stats/records': async ({ session, now }) => {
      const [{ dates, months }, photographed] = await Promise.all([
        readByMonth(session.coupleId, now),
        readAsVisible(db.read, session, now, (visibility) => readPhotographedDates(db.read, visibility)),
      ]);
      return recordsOf(dates, photographed, months);
    },

    'GET /api/Stats/years': async ({ session }) => {
      const { years } = await readYears(db.read, session.coupleId);
      return years.map(({ year, dates }) => ({
        year,
        dates: dates.length,
        minutes: totalMinutesOf(dates),
        memories: dates.reduce((sum, { memories }) => sum + memories, 0),
      }));
    },

    'GET /api/Stats/years/{year}': async ({ session, params }) => {
      const year = /^\d{4}$/.test(params.year) ? await readYear(db.read, session.coupleId, Number(params.year)) : null;
      if (year === null) throw notFound('Year');
      return year;
    },
  };
}
