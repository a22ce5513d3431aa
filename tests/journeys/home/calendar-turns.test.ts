import { beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/base/durations.ts';
import { completeDate, planDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

/** 11:30 p.m. on November 30 in Rome, the zone of the couple and the device. */
const EVENING = Date.parse('2026-11-30T22:30:00Z');

describe('open screens follow the calendar', () => {
  const us = useCouple({ timeZone: 'Europe/Rome', now: () => now });
  let now = EVENING;
  beforeAll(async () => {
    await completeDate(us.ada, { idea: { title: 'Lanterns' }, at: '2025-12-01T19:00:00+01:00', minutes: 60 });
    await completeDate(us.ada, { idea: { title: 'Market' }, at: '2026-11-30T18:00:00+01:00', minutes: 30 });
    await planDate(us.ada, { idea: { title: 'Late film' }, at: EVENING + 10 * MINUTE });
    await planDate(us.ada, { idea: { title: 'Breakfast' }, at: EVENING + 10 * 60 * MINUTE });
  });

  /**
   * Opens a screen at 11:30 p.m. and returns a function that advances its clock and the server's.
   * @param ahead by how many milliseconds the clock of the device is ahead of the server's
   */
  const openAt = async (path: string, ahead = 0) => {
    now = EVENING;
    const page = await us.open();
    // A stream that seems silent, because the clock is advanced, is replaced, and then everything is fetched again.
    await page.route('**/api/events', (route) => route.fulfill({ status: 503 }));
    await page.clock.install({ time: EVENING + ahead });
    await page.goto(path);
    const pass = async (minutes: number) => {
      now += minutes * MINUTE;
      await page.clock.fastForward(minutes * MINUTE);
    };
    return { page, pass };
  };

  it('the dashboard shows the following date when the next one has passed', {
    tags: ['home.dashboard.19'],
  }, async () => {
    const { page, pass } = await openAt('/dashboard');
    const card = page.getByRole('region', { name: 'Our Next Date' });
    await card.getByRole('heading', { name: 'Late film' }).waitFor();
    await pass(11);
    await card.getByRole('heading', { name: 'Breakfast' }).waitFor();
  });

  it('the dashboard shows a different past date after midnight', { tags: ['home.dashboard.19'] }, async () => {
    const { page, pass } = await openAt('/dashboard');
    await page.getByRole('region', { name: 'A year ago this week' }).waitFor();
    await pass(31);
    await page.getByRole('region', { name: 'A year ago today' }).waitFor();
  });

  it('the list shows a date as overdue after midnight', { tags: ['home.dashboard.19'] }, async () => {
    const { page, pass } = await openAt('/planned-dates');
    const card = page.getByRole('article').filter({ hasText: 'Late film' });
    await card.getByText('Today!').waitFor();
    await pass(31);
    await card.getByText('Overdue').waitFor();
  });

  it('the statistics start a new month at the end of the month', { tags: ['home.dashboard.19'] }, async () => {
    const { page, pass } = await openAt('/stats');
    const rows = page.getByRole('table', { name: 'Hours per period' }).getByRole('row');
    const texts = async () => (await rows.allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim()).slice(0, 2);
    await expect.poll(texts).toEqual(['This month 30m 1 date', 'Last month 0 hours 0 dates']);
    await pass(31);
    await expect.poll(texts).toEqual(['This month 0 hours 0 dates', 'Last month 30m 1 date']);
  });

  it('the statistics start a new month soon after the server does, if the clock of the device is ahead', {
    tags: ['stats.screen.10'],
  }, async () => {
    const { page, pass } = await openAt('/stats', 1.5 * MINUTE);
    const thisMonth = page.getByRole('table', { name: 'Hours per period' }).getByRole('row').first();
    await thisMonth.getByText('30m').waitFor();
    const asked = page.waitForResponse('**/api/Stats/time-together');
    await pass(29);
    await asked;
    const aMinuteLater = async () => {
      await pass(1);
      return thisMonth.innerText();
    };
    await expect.poll(aMinuteLater).toContain('0 hours');
  });
});
