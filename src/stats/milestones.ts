import { formatInstant } from '../base/instants.ts';
import type { CompletedDate } from './completed-dates.ts';

/** The six milestones in the order in which they are shown (stats.wire.7). */
export const MILESTONES = [
  {
    id: 'first-date',
    icon: '🌹',
    title: 'First Date',
    description: 'Our very first date together',
    target: 1,
    unit: 'dates',
  },
  {
    id: 'time-flies',
    icon: '⏳',
    title: 'Time Flies',
    description: '10 hours of time together',
    target: 10,
    unit: 'hours',
  },
  {
    id: 'date-night-regular',
    icon: '🌙',
    title: 'Date Night Regular',
    description: '5 dates completed',
    target: 5,
    unit: 'dates',
  },
  {
    id: 'quality-time',
    icon: '💎',
    title: 'Quality Time',
    description: '50 hours of time together',
    target: 50,
    unit: 'hours',
  },
  {
    id: 'date-master',
    icon: '🏅',
    title: 'Date Master',
    description: '10 dates completed',
    target: 10,
    unit: 'dates',
  },
  {
    id: 'century-club',
    icon: '💯',
    title: 'Century Club',
    description: '100 hours of time together',
    target: 100,
    unit: 'hours',
  },
] as const;

/** A milestone and its progress, in its unit; hours have one decimal, rounded down. Progress is capped at the target. */
export interface Milestone {
  readonly id: string;
  readonly icon: string;
  readonly title: string;
  readonly description: string;
  /** When the date that reached it ended; null until it is reached. */
  readonly earnedAt: string | null;
  readonly progress: number;
  readonly target: number;
  readonly unit: 'dates' | 'hours';
}

/** Computes the six milestones from the completed dates, in any order. */
export function milestonesOf(dates: readonly Pick<CompletedDate, 'end' | 'minutes'>[]): Milestone[] {
  // Running totals at the end of each date.
  const sums = { dates: 0, minutes: 0 };
  const steps = dates
    .toSorted((a, b) => a.end - b.end)
    .map(({ end, minutes }) => ({ end, dates: ++sums.dates, minutes: (sums.minutes += minutes) }));
  return MILESTONES.map((milestone) => {
    const { target, unit } = milestone;
    const reached = steps.find((step) => (unit === 'dates' ? step.dates >= target : step.minutes >= target * 60));
    const sum = unit === 'dates' ? sums.dates : Math.floor(sums.minutes / 6) / 10;
    return { ...milestone, earnedAt: reached ? formatInstant(reached.end) : null, progress: Math.min(sum, target) };
  });
}

/** Returns the milestones earned last, latest first; of two earned by one date, the harder one first (stats.wire.8). */
export function latestEarned(milestones: readonly Milestone[], count = 5): Milestone[] {
  return milestones
    .filter(({ earnedAt }) => earnedAt !== null)
    .toReversed()
    .sort((a, b) => Date.parse(b.earnedAt ?? '') - Date.parse(a.earnedAt ?? ''))
    .slice(0, count);
}

/** Returns the title of the first milestone not yet reached, or 'All achieved!'. */
export function nextMilestoneText(milestones: readonly Milestone[]): string {
  return milestones.find(({ earnedAt }) => earnedAt === null)?.title ?? 'All achieved!';
}
