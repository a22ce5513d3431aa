import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addIdea, addPhoto, completeDate, planDate, startDate } from '../../support/factories.ts';
import { holdRequests } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { openAs, PHONE } from '../../support/use-chromium.ts';
import { keptAnswers, storedRows } from '../stored-rows.ts';

const CALLS = '**/api/**';

describe('a page that is opened again', () => {
  const here = useApp();

  /** Opens a screen, and waits until the device has kept what it shows. */
  async function visit(page: Page, path: string, key: readonly unknown[]): Promise<void> {
    await page.goto(path);
    const begins = JSON.stringify(key).slice(0, -1);
    await expect.poll(async () => (await keptAnswers(page)).some((kept) => kept.startsWith(begins))).toBe(true);
    await expect.poll(() => lastUsers(page)).toEqual(['last']);
  }
  const lastUsers = async (page: Page) => (await storedRows(page, 'last-seen', 'who')).keys;

  async function coupleWithStory() {
    const { ada } = await registerCouple(here.app);
    const idea = await addIdea(ada, { title: 'Heads is left' });
    const planned = await planDate(ada, { idea: { title: 'The slow lunch' } });
    const done = await completeDate(ada, {
      idea: { title: 'A lantern walk' },
      at: '2026-11-20T14:00:00Z',
      minutes: 60,
    });
    const running = await startDate(ada, { idea: { title: 'The long way home' } });
    for (const seed of [1, 2, 3]) await addPhoto(ada, done.id, seed, `Lantern ${seed}`);
    return { ada, idea, planned, done, running };
  }

  it('shows what it last saw before the server answers, on every screen, without a loading state', {
    tags: ['screens.first.1'],
  }, async () => {
    const { ada, done, running } = await coupleWithStory();
    const page = await here.openAs(ada, PHONE);
    const screens: readonly (readonly [path: string, key: readonly unknown[], text: string])[] = [
      ['/dashboard', ['home', 'dashboard'], 'The slow lunch'],
      ['/date-ideas', ['ideas', 'active'], 'Heads is left'],
      ['/planned-dates', ['dates', 'list'], 'A lantern walk'],
      [`/planned-dates/${done.id}`, ['dates', 'one', done.id], 'A lantern walk'],
      [`/planned-dates/${running.id}/now`, ['dates', 'one', running.id], 'The long way home'],
      ['/memories', ['memories', 'album'], 'Lantern 1'],
      ['/stats', ['stats', 'screen'], 'precious memories'],
    ];
    for (const [path, key] of screens) await visit(page, path, key);
    await page.addInitScript(() => {
      new MutationObserver(() => {
        // The app's own loading state shows that code is late.
        const busy = document.querySelector<HTMLElement>('main[aria-busy]');
        if (busy && !busy.textContent.includes('Opening our album')) Object.assign(globalThis, { hasLoaded: true });
      }).observe(document, { childList: true, subtree: true, attributes: true });
    });
    for (const [path, , text] of screens) {
      const answer = await holdRequests(page, CALLS);
      // The load event waits for photographs, which are held too.
      await page.goto(path, { waitUntil: 'commit' });
      await page.locator('main').getByText(text).first().waitFor();
      expect(await page.evaluate(() => 'hasLoaded' in globalThis), path).toBe(false);
      answer();
      await page.unrouteAll({ behavior: 'wait' });
    }
  });

  it('shows the fresh answer after it', { tags: ['screens.first.1'] }, async () => {
    const { ada } = await coupleWithStory();
    const page = await here.openAs(ada);
    await visit(page, '/date-ideas', ['ideas', 'active']);
    await page.goto('about:blank');
    await addIdea(ada, { title: 'Tails is right' });
    const answer = await holdRequests(page, CALLS);
    await page.goto('/date-ideas');
    await page.getByRole('heading', { name: 'Heads is left' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Tails is right' }).count()).toBe(0);
    answer();
    await page.getByRole('heading', { name: 'Tails is right' }).waitFor();
  });

  it('begins a form with the fresh answer, not with what was last seen', { tags: ['screens.first.1'] }, async () => {
    const { ada, idea } = await coupleWithStory();
    const page = await here.openAs(ada);
    await visit(page, `/date-ideas/${idea.id}/edit`, ['ideas', 'one', idea.id]);
    await page.goto('about:blank');
    await ada.call('PUT /api/DateIdeas/{id}', {
      params: { id: idea.id },
      body: { title: 'Heads is right', category: 'Romantic', isActive: true },
    });
    await page.goto(`/date-ideas/${idea.id}/edit`);
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Heads is right');
  });

  it('knows what the page itself has changed', { tags: ['screens.first.1'] }, async () => {
    const { ada } = await coupleWithStory();
    const page = await here.openAs(ada);
    await visit(page, '/date-ideas', ['ideas', 'active']);
    // The answers that would tell it after the change never arrive.
    await page.getByRole('article').filter({ hasText: 'Heads is left' }).waitFor();
    await page.route('**/api/DateIdeas/active', () => undefined);
    await page.getByRole('article').filter({ hasText: 'Heads is left' }).getByRole('button', { name: 'Heart' }).click();
    await expect
      .poll(async () => JSON.stringify((await storedRows(page, 'last-seen', 'answers')).values))
      .toContain('"mine":true');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    const answer = await holdRequests(page, CALLS);
    await page.goto('/date-ideas');
    const heart = page.getByRole('article').filter({ hasText: 'Heads is left' }).getByRole('button', { name: 'Heart' });
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true');
    answer();
  });

  it('shows for a moment what it last saw of a session that was ended elsewhere; the 401 clears screen and store', {
    tags: ['screens.first.2', 'screens.first.8'],
  }, async () => {
    const { ada } = await coupleWithStory();
    const page = await here.openAs(ada);
    await visit(page, '/date-ideas', ['ideas', 'active']);
    await ada.call('POST /api/auth/logout');
    const answer = await holdRequests(page, CALLS);
    await page.goto('/date-ideas');
    await page.getByRole('heading', { name: 'Heads is left' }).waitFor();
    answer();
    await page.waitForURL(/\/auth\/login\?returnUrl=%2Fdate-ideas/);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expect
      .poll(() => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)))
      .not.toContain('last-seen');
    const back = await holdRequests(page, CALLS);
    await page.goto('/date-ideas');
    await page.locator('header').getByText('Our Love Story').waitFor();
    expect(await page.getByText('Heads is left').count()).toBe(0);
    back();
  });

  it('shows nothing of the user before to the next one of the same device', {
    tags: ['screens.first.2', 'screens.first.8'],
  }, async () => {
    const { ada } = await coupleWithStory();
    const other: Partner = (await registerCouple(here.app)).ada;
    const page = await here.openAs(ada);
    await visit(page, '/date-ideas', ['ideas', 'active']);
    const theirs = await openAs(here.chromium, other);
    await page.context().clearCookies();
    await page.context().addCookies(await theirs.context().cookies());
    await page.goto('/date-ideas');
    await page.waitForURL(/\/login|\/date-ideas$/);
    await expect
      .poll(async () => JSON.stringify((await storedRows(page, 'last-seen', 'answers')).values))
      .not.toContain('Heads is left');
    await expect.poll(() => page.getByText('Heads is left').count()).toBe(0);
  });

  it('forgets what was deleted meanwhile', { tags: ['screens.first.1'] }, async () => {
    const { ada, planned } = await coupleWithStory();
    const page = await here.openAs(ada);
    await visit(page, `/planned-dates/${planned.id}`, ['dates', 'one', planned.id]);
    await page.goto('about:blank');
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: planned.id } });
    await page.goto(`/planned-dates/${planned.id}`);
    await page.getByText('Date not found.').waitFor();
    await expect
      .poll(async () => (await keptAnswers(page)).filter((key) => key.startsWith(`["dates","one","${planned.id}`)))
      .toEqual([]);
  });

  it('paints the album in the colors that were chosen here before any other code has loaded', {
    tags: ['screens.first.9'],
  }, async () => {
    const { ada } = await coupleWithStory();
    const page = await here.openAs(ada, { colorScheme: 'light' });
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    await page.goto('/settings');
    await page.evaluate(() => localStorage.setItem('appearance', 'dark'));
    await page.route(/assets\/(index|shell|react)-/, () => undefined);
    await page.goto('/dashboard', { waitUntil: 'commit' });
    await page.locator('header').getByText('Our Love Story').waitFor();
    expect(await paper()).toBe('dark');
  });
});
