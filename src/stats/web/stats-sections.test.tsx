import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { signInAs } from '../../../tests/support/sign-in-as.ts';
import { MILESTONES } from '../milestones.ts';
import type { MonthFigures } from '../periods.ts';
import { Categories } from './categories.tsx';
import { FunFacts } from './fun-facts.tsx';
import { HeadlineFigures } from './headline-figures.tsx';
import { Milestones } from './milestones.tsx';
import type { StatsScreen } from './queries.ts';
import { Records } from './records.tsx';
import { TimeTrends } from './time-trends.tsx';

/** The texts of all matching elements, each in one line. */
function textsOf(all: Locator): string[] {
  return all.elements().map((element) => (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim());
}

const NO_TIME: StatsScreen['time'] = {
  totalMinutes: 360,
  formattedTotalTime: '6 hours',
  averageMinutes: 120,
  formattedAverageTime: '2 hours',
  periods: {
    thisMonth: { minutes: 30, dates: 1 },
    lastMonth: { minutes: 90, dates: 1 },
    thisYear: { minutes: 120, dates: 2 },
    lastYear: { minutes: 0, dates: 0 },
  },
  byMonth: [],
};

/** The months from the first to the last one, empty but for those given. */
function monthsBetween(first: string, last: string, filled: Readonly<Record<string, MonthFigures>>): MonthFigures[] {
  const from = Temporal.PlainYearMonth.from(first);
  const count = from.until(last, { largestUnit: 'months' }).months + 1;
  return Array.from({ length: count }, (_, index) => {
    const month = from.add({ months: index }).toString();
    return filled[month] ?? { month, minutes: 0, dates: 0 };
  });
}

beforeEach(() => {
  // November 1 in Rome, the couple's zone.
  vi.useFakeTimers({ now: Date.parse('2026-11-01T00:30:00Z'), toFake: ['Date'] });
  signInAs({ timeZone: 'Europe/Rome' });
});
afterEach(() => vi.useRealTimers());

describe('our story in numbers', () => {
  const someStats = {
    totalMinutes: 360,
    formattedTotalTime: '6 hours',
    totalCompletedDates: 3,
    totalMemories: 1,
    recentAchievements: [],
  };

  it('begins with four figures: time, dates, memories, average', {
    tags: ['stats.screen.2', 'screens.words.6'],
  }, async () => {
    const { getByRole } = await render(<HeadlineFigures stats={someStats} time={NO_TIME} />);
    expect(textsOf(getByRole('definition'))).toEqual([
      '6 hours total time together',
      '3 beautiful dates',
      '1 precious memory',
      '2 hours average date duration',
    ]);
  });

  it('says that there is nothing to count yet', { tags: ['stats.screen.2'] }, async () => {
    const { getByRole } = await render(
      <HeadlineFigures
        stats={{ ...someStats, totalMinutes: 0, totalCompletedDates: 0, totalMemories: 0 }}
        time={{ ...NO_TIME, averageMinutes: 0 }}
      />,
    );
    expect(textsOf(getByRole('definition'))).toEqual([
      '0 hours total time together',
      '– No dates yet',
      '– No memories yet',
      '0 hours average date duration',
    ]);
  });

  it('shows each category with its name, hours, dates, icon and strip', {
    tags: ['stats.screen.4', 'stats.screen.9'],
  }, async () => {
    const categories = [
      { categoryName: 'Outdoor', totalTime: '4h', totalMinutes: 240, completedCount: 1 },
      { categoryName: 'Food & Dining', totalTime: '2h', totalMinutes: 120, completedCount: 2 },
    ];
    const { rerender } = await render(<Categories categories={categories} />);
    const table = page.getByRole('table', { name: 'Hours per category' });
    expect(textsOf(table.getByRole('row'))).toEqual(['Outdoor 4h 1 date', 'Food & Dining 2h 2 dates']);
    expect(table.element().querySelectorAll('th svg')).toHaveLength(2);
    await expect.element(table.getByRole('progressbar', { name: 'Food & Dining: 2h' })).toHaveAttribute('value', '120');
    await rerender(<Categories categories={[]} />);
    await expect.element(page.getByText('No date categories yet!')).toBeVisible();
  });

  const hoursOf = (byMonth: StatsScreen['time']['byMonth']) => render(<TimeTrends time={{ ...NO_TIME, byMonth }} />);
  const threeMonths = monthsBetween('2024-08', '2026-11', {
    '2024-08': { month: '2024-08', minutes: 240, dates: 1 },
    '2026-10': { month: '2026-10', minutes: 90, dates: 1 },
    '2026-11': { month: '2026-11', minutes: 30, dates: 1 },
  });
  const rows = () => textsOf(page.getByRole('table', { name: 'Hours per period' }).getByRole('row'));
  const months = () => textsOf(page.getByRole('table', { name: 'Hours and dates per month' }).getByRole('rowheader'));

  it("shows the hours of four periods of the couple's calendar", {
    tags: ['stats.screen.6', 'stats.screen.10'],
  }, async () => {
    await hoursOf(threeMonths);
    expect(rows()).toEqual([
      'This month 30m 1 date',
      'Last month 1h 30m 1 date',
      'This year 2h 2 dates',
      'Last year 0 hours 0 dates',
    ]);
    // A full bar is 200 hours.
    const bar = page.getByRole('progressbar', { name: 'This year: 2h' });
    await expect.element(bar).toHaveAttribute('value', '2');
    await expect.element(bar).toHaveAttribute('max', '200');
  });

  it('filters rows, months and sum by period', { tags: ['stats.screen.7'] }, async () => {
    await hoursOf(threeMonths);
    expect(months()).toHaveLength(28);
    await expect.element(page.getByText('6 hours in 3 dates')).toBeVisible();

    const thisYear = page.getByRole('button', { name: 'This Year' });
    await thisYear.click();
    await expect.element(thisYear).toHaveAttribute('aria-pressed', 'true');
    expect(rows().map((row) => row.slice(0, 10))).toEqual(['This month', 'Last month', 'This year ']);
    expect(months()).toHaveLength(11);
    await expect.element(page.getByText('2 hours in 2 dates')).toBeVisible();

    await page.getByRole('button', { name: 'This Month' }).click();
    await expect.poll(rows).toEqual(['This month 30m 1 date']);
    expect(months()).toEqual(['November 2026']);
    await expect.element(page.getByText('30 minutes in 1 date', { exact: true })).toBeVisible();
  });

  it('labels each month of several years, one row per year', { tags: ['stats.screen.8'] }, async () => {
    const byMonth = monthsBetween('2024-08', '2026-11', {
      '2026-10': { month: '2026-10', minutes: 90, dates: 1 },
    });
    await render(<TimeTrends time={{ ...NO_TIME, byMonth }} />);
    for (const year of ['2026', '2025', '2024']) {
      await expect.element(page.getByText(year, { exact: true })).toBeVisible();
    }
    expect(page.getByText('Oct', { exact: true }).elements()).toHaveLength(3);
    await expect.element(page.getByText('1.5', { exact: true })).toBeVisible();
  });

  it('has all six milestones with their bars once the first is earned', { tags: ['stats.screen.11'] }, async () => {
    const milestones = MILESTONES.map((milestone) => ({ ...milestone, earnedAt: null, progress: 0 }));
    const { rerender } = await render(<Milestones milestones={milestones} />);
    await expect.element(page.getByText('Our Journey Starts Here!')).toBeVisible();
    const [first, second, ...others] = milestones as [(typeof milestones)[0], (typeof milestones)[0]];
    await rerender(
      <Milestones
        milestones={[
          { ...first, earnedAt: '2024-08-13T02:30:00.000Z', progress: 1 },
          { ...second, progress: 6 },
          ...others,
        ]}
      />,
    );
    expect(textsOf(page.getByRole('heading', { level: 3 }))).toEqual([
      'First Date',
      'Time Flies',
      'Date Night Regular',
      'Quality Time',
      'Date Master',
      'Century Club',
    ]);
    const bar = page.getByRole('progressbar', { name: 'Time Flies' });
    await expect.element(bar).toHaveAttribute('value', '6');
    await expect.element(bar).toHaveAttribute('max', '10');
    await expect.element(page.getByText('6 of 10 hours')).toBeVisible();
  });

  it('has fun facts and records, with the day on which the first date actually began', {
    tags: ['stats.screen.13', 'stats.screen.14'],
  }, async () => {
    const record = (title: string, value: number | null) => ({
      plannedDateId: '019a0000-0000-7000-8000-00000000000a',
      title,
      plannedDateTime: '2024-08-20T20:00:00.000Z',
      value,
    });
    const records = {
      longestDate: record('Stars', 240),
      shortestDate: record('Ramen', 30),
      mostMemories: record('Ramen', 1),
      firstDate: record('Stars', null),
      busiestMonth: { month: '2024-08', dates: 1 },
    };
    const favorite = { categoryName: 'Food & Dining', totalTime: '2h', totalMinutes: 120, completedCount: 2 };
    const milestones = MILESTONES.map((milestone, index) => ({
      ...milestone,
      earnedAt: index === 0 ? '2024-08-13T02:30:00.000Z' : null,
      progress: 0,
    }));
    await render(<FunFacts favorite={favorite} records={records} milestones={milestones} />);
    expect(textsOf(page.getByRole('definition'))).toEqual([
      'Food & Dining 2 beautiful dates',
      '4 hours Stars',
      'Forever counting ∞',
      'Time Flies',
    ]);
    // Planned for the 20th, begun on the 13th in the couple's zone.
    await render(<Records records={records} began="2024-08-12T22:30:00.000Z" />);
    expect(textsOf(page.getByRole('region', { name: 'Our Records' }).getByRole('definition'))).toEqual([
      'Tuesday, August 13, 2024 Stars',
      '30 minutes Ramen',
      '1 memory Ramen',
      'August 2024 1 date',
    ]);
  });
});
