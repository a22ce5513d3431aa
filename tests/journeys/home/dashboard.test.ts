import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { letReactRender, stopClock } from '../../support/browser.ts';
import { registerCouple } from '../../support/client.ts';
import { addPhoto, completeDate, planDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';
import { keptAnswers } from '../stored-rows.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 86_400_000;
/** Calls of the dashboard. */
const CALLS = ['**/api/Stats', '**/api/PlannedDates/next', '**/api/Memories?count=6'];

describe('the dashboard, clause by clause', () => {
  const us = useCouple({ timeZone: 'Europe/Rome' });
  let next: { id: string; at: number };
  beforeAll(async () => {
    const done = await completeDate(us.ada, { at: Date.now() - 3 * DAY, minutes: 90 });
    await addPhoto(us.ada, done.id, 1, 'The whole beach');
    // At the start of a minute, as the page counts, and still three days ahead when the last test runs.
    const at = Math.floor((Date.now() + 3 * DAY + HOUR) / MINUTE) * MINUTE;
    const { id } = await planDate(us.ada, { idea: { title: 'The slow lunch' }, at, location: 'By the sea' });
    next = { id, at };
  });

  const open = async (): Promise<Page> => {
    const page = await us.open();
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Our Next Date' }).waitFor();
    return page;
  };

  it('shows a spinner with a text, and makes its three calls in parallel', { tags: ['home.dashboard.1'] }, async () => {
    const page = await us.open();
    const asked = new Set<string>();
    const all = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    for (const call of CALLS) {
      await page.route(call, async (route) => {
        // No call is answered before all have arrived, so sequential calls would hang.
        asked.add(call);
        if (asked.size === CALLS.length) all.resolve();
        await released.promise;
        await route.continue();
      });
    }
    await page.goto('/dashboard');
    await page.getByRole('status').filter({ hasText: 'Loading our love story...' }).waitFor();
    await all.promise;
    released.resolve();
    await page.getByRole('heading', { level: 1, name: 'Our Love Story' }).waitFor();
    await page.getByRole('heading', { name: 'Our Next Date' }).waitFor();
  });

  it("shows an 'Oops!' card, whose 'Try Again' loads again", { tags: ['home.dashboard.2'] }, async () => {
    const page = await us.open();
    await page.route('**/api/Memories?count=6', (route) => route.abort());
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Oops!' }).waitFor();
    await page.unroute('**/api/Memories?count=6');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('region', { name: 'Recent Memories' }).waitFor();
  });

  it('shows title, date, time, place and countdown of the next date, and links to it and to all dates', {
    tags: ['home.dashboard.7'],
  }, async () => {
    const page = await open();
    const card = page.getByRole('region', { name: 'Our Next Date' });
    const zone = { timeZone: 'Europe/Rome' } as const;
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', ...zone }).format(next.at);
    const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', ...zone })
      .format(next.at)
      .replace('\u202f', ' ');
    for (const text of ['The slow lunch', day, time, 'By the sea', '3 days to go']) {
      await card.getByText(text, { exact: true }).first().waitFor();
    }
    expect(await card.getByRole('link', { name: /The slow lunch/ }).getAttribute('href')).toBe(
      `/planned-dates/${next.id}`,
    );
    expect(await card.getByRole('link', { name: 'View All Dates' }).getAttribute('href')).toBe('/planned-dates');
  });

  it("counts down while it is open, to 'Starting soon!'", { tags: ['home.dashboard.9'] }, async () => {
    const page = await us.open();
    await page.clock.install({ time: next.at - 2 * MINUTE });
    await page.goto('/dashboard');
    const card = page.getByRole('region', { name: 'Our Next Date' });
    await card.getByText('2 minutes to go').waitFor();
    await page.clock.pauseAt(next.at - MINUTE + 1000);
    await card.getByText('1 minute to go').waitFor();
    await page.clock.runFor(2 * MINUTE);
    await card.getByText('Starting soon!').waitFor();
  });

  it('has the quick actions, the figures that link to the statistics, and the link to all memories', {
    tags: ['home.dashboard.6', 'home.dashboard.11', 'screens.words.6'],
  }, async () => {
    const page = await open();
    const links = page.getByRole('region', { name: 'Quick Actions' }).getByRole('link');
    await expect.poll(() => links.allInnerTexts()).toEqual(['Add Date Idea', 'Browse Ideas', 'View Memories']);
    const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(targets).toEqual(['/date-ideas/add', '/date-ideas', '/memories']);
    const figures = page.getByRole('link', { name: /Time Together/ });
    expect(await figures.getAttribute('href')).toBe('/stats');
    for (const text of ['Time Together', '1 hour 30 minutes', 'Dates Completed', 'Memories Created']) {
      await figures.getByText(text, { exact: true }).waitFor();
    }
    const all = page.getByRole('region', { name: 'Recent Memories' }).getByRole('link', { name: 'View All' });
    expect(await all.getAttribute('href')).toBe('/memories');
  });

  it('shows caption and relative time of a memory, and a placeholder if its picture fails', {
    tags: ['home.dashboard.12', 'home.dashboard.13'],
  }, async () => {
    const page = await us.open();
    await page.route('**/api/Memories/*/image*', (route) => route.abort());
    await page.goto('/dashboard');
    const recent = page.getByRole('region', { name: 'Recent Memories' });
    await recent.getByText('The whole beach', { exact: true }).waitFor();
    await recent.getByText(/^\d+ (second|minute)s? ago$/).waitFor();
    await recent.getByText('1 memory', { exact: true }).waitFor();
    await recent.locator('svg').first().waitFor();
    await expect.poll(() => recent.locator('img').count()).toBe(0);
  });

  it("doesn't rotate its message with reduced motion, on hover, or while it has the focus", {
    tags: ['home.dashboard.5'],
  }, async () => {
    const still = await us.open();
    const moving = await us.open({ reducedMotion: 'no-preference' });
    for (const page of [still, moving]) {
      await page.clock.install();
      await page.goto('/dashboard');
      // The offer of the year's story is in the same hand, and may load before the messages.
      await page.locator('main').getByRole('button', { name: 'Pause' }).waitFor();
    }
    const text = (page: Page) => page.locator('main .felt').first().innerText();
    const first = await text(still);
    await still.clock.runFor(12_000);
    expect(await text(still)).toBe(first);

    // From here on, only the test advances the clock: no message changes between an event and the reading.
    await stopClock(moving);
    const after = async (ms: number) => {
      await letReactRender(moving);
      await moving.clock.runFor(ms);
      await letReactRender(moving);
      return text(moving);
    };
    await moving.locator('main .felt').first().hover();
    const pointed = await after(0);
    expect(await after(12_000)).toBe(pointed);
    await moving.mouse.move(1, 1);
    expect(await after(3100)).not.toBe(pointed);
    await moving.getByRole('button', { name: 'Pause' }).focus();
    const focused = await after(0);
    expect(await after(12_000)).toBe(focused);
  });

  it('shows no achievement and no past date at first', { tags: ['home.dashboard.14'] }, async () => {
    const { ada: fresh } = await registerCouple(us.app);
    const page = await us.openAs(fresh);
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Plan Our Next Date' }).waitFor();
    // Both parts are loaded then: they are one file.
    await expect
      .poll(async () => (await keptAnswers(page)).some((key) => key.startsWith('["home","year-ago"')))
      .toBe(true);
    await letReactRender(page);
    expect(await page.getByRole('region', { name: 'Latest Achievement' }).count()).toBe(0);
    expect(await page.getByRole('region', { name: /ago (today|this week)$/ }).count()).toBe(0);
  });
});
