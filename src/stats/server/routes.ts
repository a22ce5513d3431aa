import type { CoupleId } from '../../base/ids.ts';
import { notFound } from '../../base/refusal.ts';
import type { Reader } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Routes, Session } from '../../base/server/serve.ts';
import { formatSize } from '../../base/text.ts';
import { readMutualIdeas } from '../../ideas/server/heart-store.ts';
import { toMemory } from '../../memories/server/memory.ts';
import { countMutualNotes } from '../../notes/server/store.ts';
import { uncelebrated } from '../celebrations.ts';
import type { statsCalls, Year } from '../contract.ts';
import { MILESTONES, type Milestone } from '../milestones.ts';
import { byMonth, periodsOf } from '../periods.ts';
import { recordsOf } from '../records.ts';
import { averageMinutesOf, averagePerDate, categoriesOf, favoriteOf } from '../rules.ts';
import { formatTotal } from '../totals.ts';
import { datesToShow, figuresOfYear, startOfYear } from '../year.ts';
import { markMilestonesSeen, readSeenMilestones } from './celebration-store.ts';
import { type Figures, readMilestones } from './figures.ts';
import { countAhead, timeZoneOf } from './store.ts';
import { completedDatesWithin, countNewIdeas, memoryOfEach } from './year-store.ts';

/** Reads the story of a year; null without a completed date in it (contract 6, Our year). */
async function readYear(reader: Reader, coupleId: CoupleId, year: number): Promise<Year | null> {
  const zone = await timeZoneOf(reader, coupleId);
  const span = { from: startOfYear(year, zone), until: startOfYear(year + 1, zone) };
  const dates = await completedDatesWithin(reader, coupleId, span);
  if (dates.length === 0) return null;
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

/** The routes of the statistics (spec 7, contract 3). */
export function statsRoutes({ db }: Deps, figures: Figures): Routes<typeof statsCalls> {
  /** Groups the completed dates by the couple's calendar. */
  const calendar = async (coupleId: CoupleId, now: number) => {
    const { zone, sums } = await figures.months(coupleId, now);
    return { zone, months: byMonth(sums, now, zone) };
  };

  /** Reads what to celebrate. The queries run one after the other, because `reader` may be a transaction. */
  const celebrations = async (
    reader: Reader,
    { coupleId, userId }: Session,
    milestones: (coupleId: CoupleId) => Promise<readonly Milestone[]>,
  ) => {
    const seen = await readSeenMilestones(reader, coupleId, userId);
    const isEverySeen = MILESTONES.every(({ id }) => seen.includes(id));
    const mutual = await readMutualIdeas(reader, coupleId, userId);
    return uncelebrated(isEverySeen ? [] : await milestones(coupleId), seen, mutual);
  };

  return {
    'GET /api/Stats': ({ session, now }) => figures.stats(session, now),

    'GET /api/Stats/time-together': async ({ session, now }) => {
      const [{ dates, minutes }, { zone, months }] = await Promise.all([
        figures.totals(session.coupleId, now),
        calendar(session.coupleId, now),
      ]);
      const averageMinutes = averageMinutesOf(minutes, dates);
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
        figures.statuses(session.coupleId, now),
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
        figures.memories(session, now),
        figures.statuses(session.coupleId, now),
      ]);
      return {
        total,
        totalSizeBytes: bytes,
        formattedTotalSize: formatSize(bytes),
        averagePerDate: averagePerDate(total, counts.get('Completed') ?? 0),
      };
    },

    'GET /api/Stats/categories': async ({ session, now }) =>
      categoriesOf(await figures.categories(session.coupleId, now)),

    'GET /api/Stats/favorite-category': async ({ session, now }) =>
      favoriteOf(categoriesOf(await figures.categories(session.coupleId, now))),

    'GET /api/Stats/achievements': ({ session, now }) => figures.milestones(session.coupleId, now),

    'GET /api/Stats/celebrations': ({ session, now }) =>
      celebrations(db.read, session, (coupleId) => figures.milestones(coupleId, now)),

    'POST /api/Stats/celebrations': ({ session, body, now }) =>
      db.write(async (tx) => {
        const open = (await celebrations(tx, session, (coupleId) => readMilestones(tx, coupleId))).filter(({ id }) =>
          body.milestones.includes(id),
        );
        const ids = open.map(({ id }) => id);
        const mine = await markMilestonesSeen(tx, session.coupleId, session.userId, ids, now);
        return open.filter(({ id }) => mine.includes(id));
      }),

    'GET /api/Stats/records': async ({ session, now }) => {
      const [{ months }, dates, photographed] = await Promise.all([
        calendar(session.coupleId, now),
        figures.recordDates(session.coupleId, now),
        figures.mostPhotographed(session, now),
      ]);
      return recordsOf(dates, photographed ? [photographed] : [], months);
    },

    'GET /api/Stats/years': ({ session, now }) => figures.years(session.coupleId, now),

    'GET /api/Stats/years/{year}': async ({ session, params }) => {
      const year = /^\d{4}$/.test(params.year) ? await readYear(db.read, session.coupleId, Number(params.year)) : null;
      if (year === null) throw notFound('Year');
      return year;
    },
  };
}
