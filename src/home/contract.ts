import { z } from 'zod';
import { defineCalls } from '../base/call.ts';
import { calendarDay, zoneName } from '../base/schema.ts';
import { dateCalls } from '../dates/contract.ts';
import { memoryCalls } from '../memories/contract.ts';
import { statsShape } from '../stats/contract.ts';

/** The calls of the dashboard. */
export const homeCalls = defineCalls({
  'GET /api/Stats/dashboard': {
    summary: 'Figures, the next date and the six newest memories',
    reply: z.object({
      stats: statsShape,
      nextDate: dateCalls['GET /api/PlannedDates/next'].reply,
      recentMemories: memoryCalls['GET /api/Memories'].reply,
    }),
  },
  'GET /api/Stats/year-ago': {
    summary: 'A completed date of this day or week in an earlier year, or null',
    query: z.object({ day: calendarDay('Day'), timeZone: zoneName('Time zone') }),
    reply: z
      .object({
        date: dateCalls['GET /api/PlannedDates/{id}'].reply,
        years: z.int(),
        isToday: z.boolean(),
      })
      .nullable(),
  },
});
