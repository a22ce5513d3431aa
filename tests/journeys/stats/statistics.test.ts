import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/base/durations.ts';
import { addPhoto, completeDate, startDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

/** November 1 in Rome, the couple's zone, and still October in New York, the device's zone. */
const NOW = Date.parse('2026-11-01T00:30:00Z');

/** The texts of all matching elements, each in one line. */
const textsOf = async (all: Locator) => (await all.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());

describe('our story in numbers', () => {
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

  it("shows a loading text, and 'Try Again' after a failure", { tags: ['stats.screen.1'] }, async () => {
    const page = await us.open();
    const { promise: abort, resolve: setAbort } = Promise.withResolvers<() => Promise<void>>();
    await page.route('**/api/Stats/records', (route) => setAbort(() => route.abort()));
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

  it("shows the server's figures, by the couple's calendar", { tags: ['stats.screen.10'] }, async () => {
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
    const rows = (name: string) => textsOf(page.getByRole('table', { name }).getByRole('row'));
    expect(await rows('Hours per category')).toEqual(['Outdoor 4h 1 date', 'Food & Dining 2h 2 dates']);
    expect((await rows('Hours per period')).slice(0, 2)).toEqual(['This month 30m 1 date', 'Last month 1h 30m 1 date']);
    const records = page.getByRole('region', { name: 'Our Records' }).getByRole('definition');
    expect((await textsOf(records))[0]).toBe('Tuesday, August 13, 2024 Stars');
    await page.getByRole('region', { name: 'Love Milestones' }).getByText('6 of 10 hours').waitFor();
  });
});
