import type { Deps } from '../../base/server/deps.ts';
import type { Routes } from '../../base/server/serve.ts';
import { readDate, readNextDate } from '../../dates/server/views.ts';
import { toMemory } from '../../memories/server/memory.ts';
import { dateMemories, listMemories } from '../../memories/server/store.ts';
import { readStats } from '../../stats/server/routes.ts';
import type { homeCalls } from '../contract.ts';
import { findPastDate, searchWindows } from '../past-dates.ts';
import { readDatesStartedWithin, readFirstStart } from './store.ts';

/** How many memories the dashboard is given (spec 9). */
const MEMORIES = 6;

/** The dashboard in one answer: its three parts are read at once (spec 7, contract 3). */
export function homeRoutes({ db: { read } }: Deps): Routes<typeof homeCalls> {
  return {
    'GET /api/Stats/dashboard': async ({ session: { coupleId }, now }) => {
      const [stats, nextDate, memories] = await Promise.all([
        readStats(read, coupleId),
        readNextDate(read, dateMemories, coupleId, now),
        listMemories(read, coupleId, { dateId: null, sort: 'date-desc' }, { after: null, count: MEMORIES }),
      ]);
      return { stats, nextDate, recentMemories: memories.map(toMemory) };
    },

    // As many questions for a story of thirty years as for one of two.
    'GET /api/Stats/year-ago': async ({ session: { coupleId }, query: { day, timeZone } }) => {
      const since = await readFirstStart(read, coupleId);
      const windows = since === null ? [] : searchWindows(day, since, timeZone);
      const dates = await readDatesStartedWithin(read, coupleId, windows);
      const counts = await dateMemories.countByDate(
        read,
        coupleId,
        dates.map(({ id }) => id),
      );
      const lived = dates.map((date) => ({ ...date, memoryCount: counts.get(date.id) ?? 0 }));
      const recalled = findPastDate(lived, day, timeZone);
      const found = recalled && (await readDate(read, dateMemories, coupleId, recalled.date.id));
      return recalled && found && { date: found.date, years: recalled.years, isToday: recalled.isToday };
    },
  };
}
