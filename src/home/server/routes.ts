import type { Deps } from '../../base/server/deps.ts';
import type { Routes } from '../../base/server/serve.ts';
import { readSight } from '../../dates/server/surprise-store.ts';
import { readDate, readNextDate } from '../../dates/server/views.ts';
import { readMemories } from '../../memories/server/lists.ts';
import { toMemory } from '../../memories/server/memory.ts';
import { dateMemories } from '../../memories/server/store.ts';
import type { Figures } from '../../stats/server/figures.ts';
import type { homeCalls } from '../contract.ts';
import { findPastDate, searchWindows } from '../past-dates.ts';
import { readDatesStartedWithin, readFirstStart } from './store.ts';

/** How many memories the dashboard gets (spec 9). */
const MEMORIES = 6;

/** The routes of the dashboard (spec 7, contract 3). */
export function homeRoutes({ db: { read } }: Deps, figures: Figures): Routes<typeof homeCalls> {
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
      const counts = await dateMemories.countByDate(
        read,
        coupleId,
        dates.map(({ id }) => id),
      );
      const completed = dates.map((date) => ({ ...date, memoryCount: counts.get(date.id) ?? 0 }));
      const match = findPastDate(completed, day, timeZone);
      const found = match && (await readDate(read, dateMemories, session, { id: match.date.id, now }));
      return match && found && { date: found.date, years: match.years, isToday: match.isToday };
    },
  };
}
