import { z } from 'zod';
import { calls } from '../base/call.ts';
import { idOut, instantOut } from '../base/schema.ts';

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

const celebrated = achievement.pick({ id: true, icon: true, title: true, description: true });

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

export type Achievement = z.output<typeof achievement>;
export type Stats = z.output<typeof stats>;
export { stats as statsShape };

/** Statistics (spec 7, contract 3): times of completed dates, in the couple's own time zone. */
export const statsCalls = calls({
  'GET /api/Stats': { summary: 'Headline figures', reply: stats },
  'GET /api/Stats/time-together': {
    summary: 'Time together by period and month',
    reply: z.object({
      totalMinutes: z.int(),
      formattedTotalTime: z.string(),
      averageMinutes: z.int(),
      formattedAverageTime: z.string(),
      periods: z.object({ thisMonth: period, lastMonth: period, thisYear: period, lastYear: period }),
      byMonth: z.array(z.object({ month: z.string(), minutes: z.int(), dates: z.int() })),
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
    summary: 'The milestones that are earned and that the user has not been shown yet',
    reply: z.array(celebrated),
  },
  'POST /api/Stats/celebrations': {
    summary: 'Claim milestones to show now; replies with those that no other window has claimed',
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
});
