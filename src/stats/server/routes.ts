import type { CoupleId } from '../../base/ids.ts';
import { notFound } from '../../base/refusal.ts';
import type { Routes } from '../../base/server/calls/route-types.ts';
import type { Session } from '../../base/server/calls/session.ts';
import type { Reader } from '../../base/server/db/db.ts';
import { shareReads } from '../../base/server/db/share-reads.ts';
import type { Deps } from '../../base/server/deps.ts';
import { readMutualIdeas } from '../../ideas/server/heart-store.ts';
import { categoriesOf, favoriteOf } from '../category-figures.ts';
import { uncelebrated } from '../celebrations.ts';
import { totalMinutesOf } from '../completed-dates.ts';
import type { statsCalls } from '../contract.ts';
import { MILESTONES, milestonesOf } from '../milestones.ts';
import { markMilestonesSeen, readSeenMilestones } from './celebration-store.ts';
import { readDateFigures, readMemoryFigures, readRecords, readStats, readTimeTogether } from './figures.ts';
import { readYear } from './read-year.ts';
import { type PlacedDate, readCompletedDates } from './store.ts';
import { readYears } from './year-store.ts';

/** Reads what to celebrate. The queries run one after the other, because `reader` may be a transaction. */
async function readCelebrations(
  reader: Reader,
  { coupleId, userId }: Session,
  now: number,
  completedDates: (coupleId: CoupleId) => Promise<readonly PlacedDate[]>,
) {
  const seen = await readSeenMilestones(reader, coupleId, userId);
  const isEverySeen = MILESTONES.every(({ id }) => seen.includes(id));
  const mutual = await readMutualIdeas(reader, coupleId, userId);
  return uncelebrated(isEverySeen ? [] : milestonesOf(await completedDates(coupleId)), seen, now, mutual);
}

/** The routes of the statistics. */
export function statsRoutes({ db }: Deps): Routes<typeof statsCalls> {
  /** The screen of the statistics asks for all of them at once. */
  const completedDates = shareReads((coupleId: CoupleId) => readCompletedDates(db.read, coupleId));
  return {
    'GET /api/Stats': ({ session, now }) => readStats(db.read, session, now, completedDates(session.coupleId)),

    'GET /api/Stats/time-together': ({ session: { coupleId }, now }) =>
      readTimeTogether(db.read, coupleId, now, completedDates(coupleId)),

    'GET /api/Stats/dates': ({ session, now }) => readDateFigures(db.read, session.coupleId, now),

    'GET /api/Stats/memories': ({ session, now }) => readMemoryFigures(db.read, session, now),

    'GET /api/Stats/categories': async ({ session }) => categoriesOf(await completedDates(session.coupleId)),

    'GET /api/Stats/favorite-category': async ({ session }) =>
      favoriteOf(categoriesOf(await completedDates(session.coupleId))),

    'GET /api/Stats/achievements': async ({ session }) => milestonesOf(await completedDates(session.coupleId)),

    'GET /api/Stats/celebrations': ({ session, now }) => readCelebrations(db.read, session, now, completedDates),

    'POST /api/Stats/celebrations': ({ session, body, now }) =>
      db.write(async (tx) => {
        const all = await readCelebrations(tx, session, now, (coupleId) => readCompletedDates(tx, coupleId));
        const open = all.filter(({ id }) => body.milestones.includes(id));
        const ids = open.map(({ id }) => id);
        const mine = await markMilestonesSeen(tx, session.coupleId, session.userId, ids, now);
        return open.filter(({ id }) => mine.includes(id));
      }),

    'GET /api/Stats/records': ({ session, now }) =>
      readRecords(db.read, session, now, completedDates(session.coupleId)),

    'GET /api/Stats/years': async ({ session: { coupleId } }) => {
      const { years } = await readYears(db.read, coupleId, completedDates(coupleId));
      return years.map(({ year, dates }) => ({
        year,
        dates: dates.length,
        minutes: totalMinutesOf(dates),
        memories: dates.reduce((sum, { memories }) => sum + memories, 0),
      }));
    },

    'GET /api/Stats/years/{year}': async ({ session, params }) => {
      const { coupleId } = session;
      const year = /^\d{4}$/.test(params.year)
        ? await readYear(db.read, session, Number(params.year), completedDates(coupleId))
        : null;
      if (year === null) throw notFound('Year');
      return year;
    },
  };
}
