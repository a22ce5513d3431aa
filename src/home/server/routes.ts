import type { CoupleId } from '../../base/ids.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Routes } from '../../base/server/serve.ts';
import { readSight } from '../../dates/server/surprise-store.ts';
import { readDate, readNextDate } from '../../dates/server/views.ts';
import { readMemories } from '../../memories/server/lists.ts';
import { toMemory } from '../../memories/server/memory.ts';
import { dateMemories } from '../../memories/server/store.ts';
import type { Figures } from '../../stats/server/figures.ts';
import type { homeCalls } from '../contract.ts';
import { findPastDay, searchWindows } from '../past-dates.ts';
import { readDatesStartedWithin, readFirstStart } from './store.ts';

/** How many memories the dashboard gets (spec 9). */
const MEMORIES = 6;

/** The routes of the dashboard (spec 7, contract 3). */
export function homeRoutes({ db: { read } }: Deps, figures: Figures): Routes<typeof homeCalls> {
  const withMostMemories = async (coupleId: CoupleId, ids: readonly string[]): Promise<string> => {
    const [first = ''] = ids;
    if (ids.length === 1) return first;
    const counts = await dateMemories.countByDate(read, coupleId, ids);
    return ids.reduce((most, id) => ((counts.get(id) ?? 0) > (counts.get(most) ?? 0) ? id : most), first);
  };
  return {
    'GET /api/Stats/dashboard': async ({ session, now }) => {
      const sight = await readSight(read, session, now);
      const [stats, nextDate, memories] = await Promise.all([
        figures.stats(session, now),
        readNextDate(read, dateMemories, session, now),
        readMemories(read, sight, now, { dateId: null, sort: 'date-desc' }, { after: null, count: MEMORIES }),
      ]);
      return { stats, nextDate, recentMemories: memories.map(toMemory) };
    },

    // The number of queries doesn't grow with the number of years.
    'GET /api/Stats/year-ago': async ({ session, query: { day, timeZone }, now }) => {
      const { coupleId } = session;
      const since = await readFirstStart(read, coupleId);
      const windows = since === null ? [] : searchWindows(day, since, timeZone);
      const dates = await readDatesStartedWithin(read, coupleId, windows);
      const past = findPastDay(dates, day, timeZone);
      if (past === null) return null;
      const id = await withMostMemories(
        coupleId,
        past.dates.map((date) => date.id),
      );
      const found = await readDate(read, dateMemories, session, { id, now });
      return found && { date: found.date, years: past.years, isToday: past.isToday };
    },
  };
}
