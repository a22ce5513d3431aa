import type { CoupleId } from '../../base/ids.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Routes } from '../../base/server/serve.ts';
import { openAlbumCache } from '../../dates/server/album-cache.ts';
import { readAsSeen } from '../../dates/server/surprise-store.ts';
import { readDate, readNextDate } from '../../dates/server/views.ts';
import { toMemory } from '../../memories/server/memory.ts';
import { dateMemories, listMemories } from '../../memories/server/store.ts';
import type { Figures } from '../../stats/server/figures.ts';
import type { homeCalls } from '../contract.ts';
import { findPastDay, searchWindows } from '../past-dates.ts';
import { readDatesStartedWithin, readFirstStart } from './store.ts';

/** How many memories the dashboard gets (spec 9). */
const MEMORIES = 6;
/** The number of couples whose past date is cached. */
const MAX_COUPLES = 500;

/** The routes of the dashboard (spec 7, contract 3). */
export function homeRoutes({ db }: Deps, figures: Figures): Routes<typeof homeCalls> {
  const { read } = db;
  const withMostMemories = async (coupleId: CoupleId, ids: readonly string[]): Promise<string> => {
    const [first = ''] = ids;
    if (ids.length === 1) return first;
    const counts = await dateMemories.countByDate(read, coupleId, ids);
    return ids.reduce((most, id) => ((counts.get(id) ?? 0) > (counts.get(most) ?? 0) ? id : most), first);
  };
  // The number of queries doesn't grow with the number of years.
  const findPastDate = async (coupleId: CoupleId, day: string, timeZone: string) => {
    const since = await readFirstStart(read, coupleId);
    const windows = since === null ? [] : searchWindows(day, since, timeZone);
    const past = findPastDay(await readDatesStartedWithin(read, coupleId, windows), day, timeZone);
    if (past === null) return null;
    const { years, isToday } = past;
    const ids = past.dates.map(({ id }) => id);
    return { id: await withMostMemories(coupleId, ids), years, isToday };
  };
  const pastDates = openAlbumCache<Awaited<ReturnType<typeof findPastDate>>>(db, MAX_COUPLES);
  return {
    'GET /api/Stats/dashboard': async ({ session, now }) => {
      const [stats, nextDate, memories] = await Promise.all([
        figures.stats(session, now),
        readNextDate(read, dateMemories, session, now),
        readAsSeen(read, session, now, (sight) =>
          listMemories(read, sight, { dateId: null, sort: 'date-desc' }, { after: null, count: MEMORIES }),
        ),
      ]);
      return { stats, nextDate, recentMemories: memories.map(toMemory) };
    },

    'GET /api/Stats/year-ago': async ({ session, query: { day, timeZone }, now }) => {
      const { coupleId } = session;
      const find = () => findPastDate(coupleId, day, timeZone);
      const past = await pastDates({ coupleId, now, key: JSON.stringify([day, timeZone]) }, find);
      if (past === null) return null;
      const { id, years, isToday } = past;
      const found = await readDate(read, dateMemories, session, { id, now });
      return found && { date: found.date, years, isToday };
    },
  };
}
