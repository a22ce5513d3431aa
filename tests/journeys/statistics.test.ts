import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { addPhoto, completeDate, startDate } from '../support/factories.ts';
import { forgetChanges } from '../support/forget-changes.ts';
import { useCouple } from '../support/use-app.ts';

const HOUR = 3_600_000;
/** November 1 in Rome, the couple's zone, and still October in New York, the device's zone. */
const NOW = Date.parse('2026-11-01T00:30:00Z');

/** The texts of all matching elements, each in one line. */
const textsOf = async (all: Locator) => (await all.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());

describe('our story in numbers, clause by clause (spec 2, 4, 8, 9)', () => {
  const us = useCouple({ timeZone: 'Europe/Rome', now: () => NOW });
  beforeAll(async () => {
    const food = { title: 'Ramen', category: 'Food' as const };
    // Started on a different day than planned: the 13th in the couple's zone, the 12th in the device's.
    const first = await startDate(us.ada, {
      idea: { title: 'Stars', category: 'Outdoor' },
      at: '2024-08-20T20:00:00Z',
    });
    await us.ada.call('POST /api/PlannedDates/{id}/complete', {
      params: { id: first.id },
      body: { actualStartTime: '2024-08-12T22:30:00Z', actualEndTime: '2024-08-13T02:30:00Z' },
    });
    const short = await completeDate(us.ada, { idea: food, at: '2026-10-30T18:00:00Z', minutes: 90 });
    await completeDate(us.ada, { idea: food, at: NOW - HOUR, minutes: 30 });
    await addPhoto(us.ada, short.id);
  });

  const open = async () => {
    const page = await us.open({ timezoneId: 'America/New_York' });
    await page.clock.setFixedTime(NOW);
    await page.goto('/stats');
    await page.getByRole('region', { name: 'Time Trends' }).waitFor();
    return page;
  };

  it("shows a loading text, and 'Try Again' after a failure", async () => {
    const page = await us.open();
    const { promise: abort, resolve: setAbort } = Promise.withResolvers<() => Promise<void>>();
    await page.route('**/api/Stats/records', (route) => setAbort(() => route.abort()));
    await forgetChanges(us.app);
    await page.goto('/stats');
    await page.getByRole('status').filter({ hasText: 'Calculating our beautiful moments together...' }).waitFor();
    await (await abort)();
    await page.getByRole('heading', { name: 'Oops!' }).waitFor();
    await page.getByText('Failed to load our beautiful statistics. Please try again.').waitFor();
    await page.unroute('**/api/Stats/records');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Our Love Story in Numbers' }).waitFor();
    await page.getByRole('region', { name: 'Fun Facts' }).waitFor();
  });

  it('has four tiles: time, dates, memories, average', async () => {
    const page = await open();
    const tiles = page.locator('main dl').first();
    await expect
      .poll(() => textsOf(tiles.locator('dd')))
      .toEqual([
        '6 hours total time together',
        '3 beautiful dates',
        '1 precious memory',
        '2 hours average date duration',
      ]);
  });

  it('shows each category with its name, hours, dates, icon and strip', async () => {
    const page = await open();
    const table = page.getByRole('table', { name: 'Hours per category' });
    await expect.poll(() => textsOf(table.getByRole('row'))).toEqual(['Outdoor 4h 1 date', 'Food & Dining 2h 2 dates']);
    await expect.poll(() => table.locator('th svg').count()).toBe(2);
    expect(await table.getByRole('progressbar', { name: 'Food & Dining: 2h' }).getAttribute('value')).toBe('120');
  });

  it("shows the hours of the couple's calendar, and filters rows, months and sum by period", async () => {
    const page = await open();
    const trends = page.getByRole('region', { name: 'Time Trends' });
    const rows = () => textsOf(trends.getByRole('table', { name: 'Hours per period' }).getByRole('row'));
    const months = trends.getByRole('table', { name: 'Hours and dates per month' }).getByRole('rowheader');
    await expect
      .poll(rows)
      .toEqual([
        'This month 30m 1 date',
        'Last month 1h 30m 1 date',
        'This year 2h 2 dates',
        'Last year 0 hours 0 dates',
      ]);
    // A full bar is 200 hours (spec 9).
    const bar = trends.getByRole('progressbar', { name: 'This year: 2h' });
    expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual(['2', '200']);
    await expect.poll(() => months.count()).toBe(28);
    await trends.getByText('6 hours in 3 dates').waitFor();

    await trends.getByRole('button', { name: 'This Year' }).click();
    const thisYear = trends.getByRole('button', { name: 'This Year' });
    await expect.poll(() => thisYear.getAttribute('aria-pressed')).toBe('true');
    await expect
      .poll(async () => (await rows()).map((row) => row.slice(0, 10)))
      .toEqual(['This month', 'Last month', 'This year ']);
    await expect.poll(() => months.count()).toBe(11);
    await trends.getByText('2 hours in 2 dates').waitFor();

    await trends.getByRole('button', { name: 'This Month' }).click();
    await expect.poll(rows).toEqual(['This month 30m 1 date']);
    await expect.poll(() => months.allInnerTexts()).toEqual(['November 2026']);
    await trends.getByText('30 minutes in 1 date', { exact: true }).waitFor();
  });

  it('labels each month of several years, one row per year', async () => {
    const page = await open();
    const trends = page.getByRole('region', { name: 'Time Trends' });
    for (const year of ['2026', '2025', '2024']) await trends.getByText(year, { exact: true }).waitFor();
    await expect.poll(() => trends.getByText('Oct', { exact: true }).count()).toBe(3);
    await trends.getByText('1.5', { exact: true }).waitFor();
  });

  it('has all six milestones with their bars once the first is earned, fun facts and records', async () => {
    const page = await open();
    const milestones = page.getByRole('region', { name: 'Love Milestones' });
    await expect
      .poll(() => milestones.getByRole('heading', { level: 3 }).allInnerTexts())
      .toEqual(['First Date', 'Time Flies', 'Date Night Regular', 'Quality Time', 'Date Master', 'Century Club']);
    const bar = milestones.getByRole('progressbar', { name: 'Time Flies' });
    expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual(['6', '10']);
    await milestones.getByText('6 of 10 hours').waitFor();
    const facts = page.getByRole('region', { name: 'Fun Facts' }).getByRole('definition');
    await expect
      .poll(() => textsOf(facts))
      .toEqual(['Food & Dining 2 beautiful dates', '4 hours Stars', 'Forever counting ∞', 'Time Flies']);
    const records = page.getByRole('region', { name: 'Our Records' }).getByRole('definition');
    await expect
      .poll(() => textsOf(records))
      .toEqual(['Tuesday, August 13, 2024 Stars', '30 minutes Ramen', '1 memory Ramen', 'August 2024 1 date']);
  });
});
