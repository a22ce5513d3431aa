import { daysBetween } from '../../base/calendar-days.ts';
import { dayOf } from '../../base/instants.ts';
import { invalidField } from '../../base/refusal.ts';
import type { Routes } from '../../base/server/calls/route-types.ts';
import type { Deps } from '../../base/server/deps.ts';
import { readLeftOutDates } from '../../dates/server/left-out-dates.ts';
import { readDate, readNextDate } from '../../dates/server/views.ts';
import { readAsVisible } from '../../dates/server/visibility-store.ts';
import { countByDate } from '../../memories/server/count-store.ts';
import { memoriesPort } from '../../memories/server/memories-port.ts';
import { listMemories } from '../../memories/server/store.ts';
import { toMemory } from '../../memories/server/to-memory.ts';
import { readStats } from '../../stats/server/figures.ts';
import { readCompletedDates } from '../../stats/server/store.ts';
import type { homeCalls } from '../contract.ts';
import { findPastDay } from '../find-past-day.ts';

/** How many memories the dashboard gets (stats.wire.11). */
const MEMORIES = 6;
/** How far a device's day may be from the server's: a zone is up to a day away, and clocks may be wrong. */
const MAX_DAYS_OFF = 2;

/** The routes of the dashboard. */
export function homeRoutes({ db: { read } }: Deps): Routes<typeof homeCalls> {
  return {
    'GET /api/Stats/dashboard': async ({ session, now }) => {
      const [stats, nextDate, memories] = await Promise.all([
        readStats(read, session, now, readCompletedDates(read, session.coupleId)),
        readNextDate(read, memoriesPort, session, now),
        readAsVisible(read, session, now, (visibility) =>
          listMemories(read, visibility, { dateId: null, sort: 'date-desc' }, { after: null, count: MEMORIES }),
        ),
      ]);
      return { stats, nextDate, recentMemories: memories.map(toMemory) };
    },

    'GET /api/Stats/year-ago': async ({ session, query: { day, timeZone }, now }) => {
      if (Math.abs(daysBetween(dayOf(now, 'UTC'), day)) > MAX_DAYS_OFF) {
        throw invalidField('day', 'Day is too far from the server’s');
      }
      const [completed, leftOut] = await Promise.all([
        readCompletedDates(read, session.coupleId),
        readLeftOutDates(read, session),
      ]);
      const shown = completed.filter(({ id }) => !leftOut.has(id));
      const past = findPastDay(shown, day, timeZone);
      if (past === null) return null;
      const ids = past.dates.map((date) => date.id);
      const counts = await countByDate(read, session.coupleId, ids);
      const id = ids.reduce((most, other) => ((counts.get(other) ?? 0) > (counts.get(most) ?? 0) ? other : most));
      const found = await readDate(read, memoriesPort, session, { id, now });
      return found && { date: found.date, years: past.years, isToday: past.isToday };
    },
  };
}
