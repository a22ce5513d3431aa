import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { completeDate, planDate } from '../../../tests/support/factories.ts';
import { failCalls, handleCalls, refuseCalls, repairAtClick } from '../../../tests/support/handle-calls.ts';
import { findIssuesAtEverySize } from '../../../tests/support/screen-issues.ts';
import { address, type Couple, registerUs, show, textsOf, uploadPhoto } from '../../../tests/support/screens.tsx';
import { DAY, HOUR, MINUTE } from '../../base/durations.ts';

const next = page.getByRole('region', { name: 'Our Next Date' });
const recent = page.getByRole('region', { name: 'Recent Memories' });

beforeEach(() => page.viewport(1280, 800));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the dashboard of a couple with a date behind and a date ahead', () => {
  let us: Couple;
  let ahead: { readonly id: string; readonly at: number };
  beforeAll(async () => {
    us = await registerUs('Europe/Rome');
    const done = await completeDate(us.ada, { at: Date.now() - 3 * DAY, minutes: 90 });
    for (const seed of [1, 2, 3, 4, 5]) await uploadPhoto(us.ada, done.id, seed, `Beach ${seed}`);
    // At the start of a minute, as the page counts, and still three days ahead when the last test runs.
    const at = Math.floor((Date.now() + 3 * DAY + HOUR) / MINUTE) * MINUTE;
    const { id } = await planDate(us.ada, { idea: { title: 'The slow lunch' }, at, location: 'By the sea' });
    ahead = { id, at };
  });

  it('shows a spinner with a text, and makes its calls in parallel', { tags: ['home.dashboard.1'] }, async () => {
    // No call is answered before all have arrived, so sequential calls would hang.
    const calls = ['GET /api/Stats', 'GET /api/PlannedDates/next', 'GET /api/Memories'] as const;
    const released = Promise.withResolvers<void>();
    const asked = new Set<string>();
    for (const call of calls) {
      handleCalls(call, async (ask) => {
        asked.add(call);
        await released.promise;
        return ask();
      });
    }
    // Of a user of whom this device has seen nothing.
    const { ada } = await registerUs();
    await planDate(ada);
    await show('/dashboard', ada);
    await expect.element(page.getByRole('status').filter({ hasText: 'Loading our love story...' })).toBeInTheDocument();
    await expect.poll(() => asked.size).toBe(calls.length);
    released.resolve();
    await expect.element(next).toBeVisible();
  });

  it('shows no next date if only that call fails', { tags: ['home.dashboard.2'] }, async () => {
    const { ada } = await registerUs();
    await planDate(ada);
    failCalls('GET /api/PlannedDates/next');
    await show('/dashboard', ada);
    await expect.element(page.getByRole('heading', { name: 'Plan Our Next Date' })).toBeVisible();
  });

  it('shows title, date, time, place and countdown of the next date, and links to it and to all dates', {
    tags: ['home.dashboard.7'],
  }, async () => {
    await show('/dashboard', us.ada);
    const zone = { timeZone: 'Europe/Rome' } as const;
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', ...zone }).format(ahead.at);
    const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', ...zone }).format(ahead.at);
    for (const text of ['The slow lunch', day, time.replace('\u202f', ' '), 'By the sea', '3 days to go']) {
      await expect.element(next.getByText(text, { exact: true }).first()).toBeVisible();
    }
    const path = `/planned-dates/${ahead.id}`;
    await expect.element(next.getByRole('link', { name: /The slow lunch/ })).toHaveAttribute('href', path);
    await expect.element(next.getByRole('link', { name: 'View All Dates' })).toHaveAttribute('href', '/planned-dates');
  });

  it("counts down while it is open, to 'Starting soon!'", { tags: ['home.dashboard.9'] }, async () => {
    vi.useFakeTimers({ now: ahead.at - 2 * MINUTE, shouldAdvanceTime: true });
    await show('/dashboard', us.ada);
    await expect.element(next.getByText('2 minutes to go')).toBeVisible();
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    await expect.element(next.getByText('Starting soon!')).toBeVisible();
  });

  it('has the quick actions, the figures that link to the statistics, and the link to all memories', {
    tags: ['home.dashboard.6', 'home.dashboard.11', 'screens.words.6'],
  }, async () => {
    await show('/dashboard', us.ada);
    const actions = page.getByRole('region', { name: 'Quick Actions' }).getByRole('link');
    await expect.poll(() => textsOf(actions)).toEqual(['Add Date Idea', 'Browse Ideas', 'View Memories']);
    const targets = actions.elements().map((link) => link.getAttribute('href'));
    expect(targets).toEqual(['/date-ideas/add', '/date-ideas', '/memories']);
    const figures = page.getByRole('link', { name: /Time Together/ });
    await expect.element(figures).toHaveAttribute('href', '/stats');
    for (const text of ['Time Together', '1 hour 30 minutes', 'Dates Completed', 'Memories Created']) {
      await expect.element(figures.getByText(text, { exact: true })).toBeVisible();
    }
    await expect.element(recent.getByRole('link', { name: 'View All' })).toHaveAttribute('href', '/memories');
  });

  it('shows four of the memories, each with its caption and how long ago it was', {
    tags: ['home.dashboard.12'],
  }, async () => {
    await show('/dashboard', us.ada);
    await expect.poll(() => recent.getByRole('link', { name: /^View memory/ }).elements()).toHaveLength(4);
    await expect.element(recent.getByText('Beach 5', { exact: true })).toBeVisible();
    await expect.element(recent.getByText(/^\d+ (second|minute)s? ago$/).first()).toBeVisible();
    await expect.element(recent.getByText('5 memories', { exact: true })).toBeVisible();
  });

  it('shows a placeholder for a picture that fails', { tags: ['home.dashboard.13'] }, async () => {
    await show('/dashboard', us.ada);
    await expect.poll(() => recent.element().querySelectorAll('img').length).toBeGreaterThan(0);
    for (const image of recent.element().querySelectorAll('img')) image.src = '/api/Memories/none/image';
    await expect.poll(() => recent.element().querySelectorAll('img').length).toBe(0);
    expect(recent.element().querySelector('svg')).not.toBeNull();
  });

  it('is accessible on a phone, a tablet and a desktop', async () => {
    await show('/dashboard', us.ada);
    await expect.element(next).toBeVisible();
    expect(await findIssuesAtEverySize('dashboard')).toEqual([]);
  });

  it('shows the latest achievement', { tags: ['home.dashboard.14'] }, async () => {
    await show('/dashboard', us.ada);
    const achievement = page.getByRole('region', { name: 'Latest Achievement' });
    await expect.element(achievement.getByRole('heading', { name: 'First Date' })).toBeVisible();
  });
});

describe('the dashboard of a couple that begins', () => {
  let us: Couple;
  beforeAll(async () => {
    us = await registerUs('Europe/Rome');
  });

  it('shows no achievement and no past date', { tags: ['home.dashboard.14'] }, async () => {
    await show('/dashboard', us.ada);
    await expect.element(page.getByRole('heading', { name: 'Plan Our Next Date' })).toBeVisible();
    await expect.element(page.getByText('No memories yet!')).toBeVisible();
    expect(page.getByRole('region', { name: 'Latest Achievement' }).elements()).toEqual([]);
    expect(page.getByRole('region', { name: /ago (today|this week)$/ }).elements()).toEqual([]);
  });

  it('is no wider than a phone with a narrow photograph', { tags: ['home.dashboard.12'] }, async () => {
    const { ada } = await registerUs();
    const { id } = await completeDate(ada, { at: Date.now() - 3 * DAY, minutes: 90 });
    await uploadPhoto(ada, id, 1, 'The tall tower', { width: 20, height: 80 });
    for (const seed of [2, 3, 4]) await uploadPhoto(ada, id, seed);
    await page.viewport(360, 740);
    await show('/dashboard', ada);
    await expect.element(recent.getByText('The tall tower')).toBeVisible();
    await expect.poll(() => document.documentElement.scrollWidth).toBe(360);
  });

  it("shows an 'Oops!' card, whose 'Try Again' loads again", { tags: ['home.dashboard.2'] }, async () => {
    const repair = refuseCalls('GET /api/Stats', 500);
    await show('/dashboard', (await registerUs()).ada);
    await expect.element(page.getByRole('heading', { name: 'Oops!' })).toBeVisible();
    await expect.element(page.getByText('Failed to load dashboard. Please try again.')).toBeVisible();
    repairAtClick(repair);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(recent).toBeVisible();
  });

  it('links once to a past date, with and without a next date', { tags: ['dates.past.3'] }, async () => {
    const link = page.getByRole('link', { name: 'Add a Past Date' });
    const { ada } = await registerUs('Europe/Rome');
    await show('/dashboard', ada);
    await expect.element(page.getByText('No memories yet!')).toBeVisible();
    await expect.poll(() => link.elements().length).toBe(1);
    await planDate(ada, { idea: { title: 'Lantern walk' } });
    await expect.element(page.getByRole('heading', { name: 'Our Next Date' })).toBeVisible();
    await expect.poll(() => link.elements().length).toBe(1);
    await expect.element(recent.getByRole('link', { name: 'Add a Past Date' })).toBeVisible();
  });

  it('leads to adding an idea', { tags: ['home.dashboard.8'] }, async () => {
    await page.viewport(360, 780);
    await show('/dashboard', us.ada);
    await page.getByText('No upcoming dates planned yet!').click();
    await expect.poll(address).toBe('/date-ideas/add');
  });
});
