import { z } from 'zod';
import { defineCalls } from '../base/call.ts';
import { idOut, instantOut } from '../base/schema.ts';
import { memory } from '../memories/contract.ts';

const achievement = z.object({
  id: z.string(),
  icon: z.string(),
  title: z.string(),
  description: z.string(),
  earnedAt: instantOut.nullable(),
  progress: z.number(),
  target: z.int(),
  unit: z.enum(['dates', 'hours']),
});

/** A milestone, or an idea that both partners want. */
const celebrated = achievement
  .pick({ id: true, icon: true, title: true, description: true })
  .extend({ ideaId: idOut.nullable() });

const stats = z.object({
  totalMinutes: z.int(),
  formattedTotalTime: z.string(),
  totalCompletedDates: z.int(),
  totalMemories: z.int(),
  recentAchievements: z.array(achievement),
});

const period = z.object({ minutes: z.int(), dates: z.int() });

const categoryStat = z.object({
  categoryName: z.string(),
  totalTime: z.string(),
  totalMinutes: z.int(),
  completedCount: z.int(),
});

const record = z
  .object({ plannedDateId: idOut, title: z.string(), plannedDateTime: instantOut, value: z.int().nullable() })
  .nullable();

const monthFigures = z.object({ month: z.string(), minutes: z.int(), dates: z.int() });

const categoryOfYear = categoryStat.omit({ totalTime: true });

const year = z.object({
  year: z.int(),
  totalMinutes: z.int(),
  dates: z.int(),
  memories: z.int(),
  newIdeas: z.int(),
  months: z.array(monthFigures).length(12),
  firstDate: record,
  lastDate: record,
  longestDate: record,
  mostMemories: record,
  favoriteCategory: categoryOfYear.nullable(),
  categories: z.array(categoryOfYear),
  places: z.array(z.object({ location: z.string(), dates: z.int() })).max(5),
  weekdays: z.array(z.object({ weekday: z.int().min(1).max(7), dates: z.int() })).length(7),
  longestGapDays: z.int(),
  mutualNotes: z.int(),
  photographs: z.array(memory).max(24),
});

export type Achievement = z.output<typeof achievement>;
export type Stats = z.output<typeof stats>;
export type Year = z.output<typeof year>;
export { stats as statsShape };

/** Statistics: times of completed dates, in the couple's own time zone. */
export const statsCalls = defineCalls({
  'GET /api/Stats': { summary: 'Headline figures', reply: stats },
  'GET /api/Stats/time-together': {
    summary: 'Time together by period and month',
    reply: z.object({
      totalMinutes: z.int(),
      formattedTotalTime: z.string(),
      averageMinutes: z.int(),
      formattedAverageTime: z.string(),
      periods: z.object({ thisMonth: period, lastMonth: period, thisYear: period, lastYear: period }),
      byMonth: z.array(monthFigures),
    }),
  },
  'GET /api/Stats/dates': {
    summary: 'Planned dates by status',
    reply: z.object({
      total: z.int(),
      planned: z.int(),
      inProgress: z.int(),
      completed: z.int(),
      cancelled: z.int(),
      upcoming: z.int(),
    }),
  },
  'GET /api/Stats/memories': {
    summary: 'Memories in figures',
    reply: z.object({
      total: z.int(),
      totalSizeBytes: z.int(),
      formattedTotalSize: z.string(),
      averagePerDate: z.number(),
    }),
  },
  'GET /api/Stats/categories': { summary: 'Time by category, most first', reply: z.array(categoryStat) },
  'GET /api/Stats/favorite-category': {
    summary: 'The category with the most completed dates, or null',
    reply: categoryStat.nullable(),
  },
  'GET /api/Stats/achievements': { summary: 'The six milestones', reply: z.array(achievement) },
  'GET /api/Stats/celebrations': {
    summary: 'What the user has not been shown yet: earned milestones, and ideas that both partners want',
    reply: z.array(celebrated),
  },
  'POST /api/Stats/celebrations': {
    summary: 'Claim celebrations to show now, by their ids; replies with those that no other window has claimed',
    body: z.object({ milestones: z.array(z.string()).max(20) }),
    reply: z.array(celebrated),
  },
  'GET /api/Stats/records': {
    summary: 'The longest, shortest and first date, most memories, and the busiest month',
    reply: z.object({
      longestDate: record,
      shortestDate: record,
      mostMemories: record,
      firstDate: record,
      busiestMonth: z.object({ month: z.string(), dates: z.int() }).nullable(),
    }),
  },
  'GET /api/Stats/years': {
    summary: 'The years with a completed date, latest first',
    reply: z.array(z.object({ year: z.int(), dates: z.int(), minutes: z.int(), memories: z.int() })),
  },
  'GET /api/Stats/years/{year}': { summary: 'The story of one year', reply: year },
});
