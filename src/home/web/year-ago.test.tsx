import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { completeDate, planDate } from '../../../tests/support/factories.ts';
import { failCalls } from '../../../tests/support/handle-calls.ts';
import { address, type Couple, registerUs, show, uploadPhoto } from '../../../tests/support/screens.tsx';
import { DAY, HOUR } from '../../base/durations.ts';

const today = Temporal.Now.plainDateISO('Europe/Rome');
const inRome = (day: Temporal.PlainDate, plainTime: string) =>
  day.toZonedDateTime({ timeZone: 'Europe/Rome', plainTime }).epochMilliseconds;

describe('a date of a year ago', () => {
  let us: Couple;
  beforeAll(async () => {
    us = await registerUs('Europe/Rome');
    const date = await completeDate(us.ada, {
      idea: { title: 'Shooting stars', category: 'Outdoor' },
      at: inRome(today.subtract({ years: 1 }), '00:10'),
      minutes: 90,
      location: 'On the dyke',
      notes: 'One blanket for two.',
    });
    for (const seed of [1, 2, 3, 4, 5]) await uploadPhoto(us.ada, date.id, seed, `Star ${seed}`);
    // Still three days ahead when the last test runs.
    await planDate(us.ben, { idea: { title: 'The slow lunch' }, at: Date.now() + 3 * DAY + HOUR });
  });
  // Early on this day: the server refuses a day that is not near its own.
  beforeEach(() => {
    vi.useFakeTimers({ now: inRome(today, '00:30'), toFake: ['Date'] });
  });
  afterEach(() => vi.useRealTimers());

  const region = (name: string) => page.getByRole('region', { name });
  const recalled = region('A year ago today');

  it('is shown, with a link to do it again', { tags: ['home.dashboard.15'] }, async () => {
    await page.viewport(1280, 800);
    await show('/dashboard', us.ben);
    await expect.element(recalled.getByRole('heading', { name: 'Shooting stars' })).toBeVisible();
    for (const text of ['1 hour 30 minutes', 'On the dyke', 'One blanket for two.']) {
      await expect.element(recalled.getByText(text, { exact: true })).toBeVisible();
    }
    await expect.poll(() => recalled.element().querySelectorAll('img').length).toBe(5);
    await recalled.getByRole('link', { name: 'Do it again' }).click();
    await expect.poll(address).toMatch(/\/date-ideas\/[^/]+\/plan$/);
  });

  it.each([360, 1280, 1920])(
    'is below the newest memories on a wide screen, and at the end on a phone (%i pixels)',
    { tags: ['home.dashboard.16'] },
    async (width) => {
      await page.viewport(width, 800);
      await show('/dashboard', us.ada);
      await expect.element(recalled.getByRole('link', { name: 'Do it again' })).toBeVisible();
      const boxOf = async (name: string) => {
        await expect.element(region(name)).toBeVisible();
        return () => region(name).element().getBoundingClientRect();
      };
      const past = await boxOf('A year ago today');
      const recent = await boxOf('Recent Memories');
      const next = await boxOf('Our Next Date');
      const reached = await boxOf('Latest Achievement');
      await expect.poll(() => past().top - recent().bottom).toBeGreaterThan(0);
      if (width < 992) {
        expect(past().top).toBeGreaterThan(reached().bottom);
        return;
      }
      expect(past().left).toBe(recent().left);
      expect(reached().left).toBe(next().left);
      expect(past().left).toBeGreaterThan(next().right);
    },
  );

  it('says what laying it face down does, and keeps the focus on the page, also if that fails', {
    tags: ['dates.lookback.2'],
  }, async () => {
    await show('/dashboard', us.ben);
    const hide = recalled.getByRole('button', { name: "Don't show this again" });
    const undo = page.getByRole('button', { name: 'Undo' });
    const focused = () => document.activeElement?.id;
    await hide.click();
    await expect.element(undo).toHaveFocus();
    await expect.element(undo).toHaveAccessibleDescription("We won't show it when we look back.");
    await undo.click();
    await expect.element(hide).toBeVisible();
    expect(focused()).toBe('main');
    failCalls('PUT /api/PlannedDates/*/look-back');
    await hide.click();
    await expect.element(page.getByText('Failed to save this. Please try again.')).toBeVisible();
    await expect.element(hide).toBeVisible();
    await expect.poll(focused).toBe('main');
  });
});
