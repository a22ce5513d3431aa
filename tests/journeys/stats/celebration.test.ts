import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoViolations } from '../../support/accessibility.ts';
import { gotoLive, keepNotices, letReactRender, nextPageResponse } from '../../support/browser.ts';
import { registerCouple } from '../../support/client.ts';
import { addIdea, completeDate, startDate } from '../../support/factories.ts';
import { useApp } from '../../support/use-app.ts';

const DAY = 86_400_000;
/** Long enough that what is shown has been marked as seen, also on a busy machine. */
const MARKED_MS = 4000;

describe('the celebration of a milestone', () => {
  const here = useApp();

  it('is shown to both partners at once, on any screen, without taking the focus, and only once', {
    tags: ['stats.milestones.1', 'stats.milestones.2'],
  }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const hers = await here.openAs(ada, { name: 'Ada', reducedMotion: 'no-preference' });
    const his = await here.openAs(ben, { name: 'Ben' });
    for (const page of [hers, his]) await keepNotices(page);
    await gotoLive(hers, '/date-ideas/add');
    await gotoLive(his, '/stats');
    const title = hers.getByLabel('Title');
    await title.fill('Something new');
    await his.getByText('Our Journey Starts Here!').waitFor();
    await completeDate(ben, { at: Date.now() - DAY, minutes: 60 });
    for (const page of [hers, his]) {
      await page
        .getByRole('status')
        .filter({ hasText: 'First Date' })
        .getByText('Our very first date together')
        .waitFor();
    }
    expect(await title.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await title.inputValue()).toBe('Something new');
    const flying = (page: Page) =>
      page.getByTestId('celebration-hearts').evaluate((hearts) => hearts.getAnimations({ subtree: true }).length);
    expect(await flying(hers)).toBeGreaterThan(0);
    expect(await flying(his)).toBe(0);
    await expectNoViolations(his);

    // Seen before the page is left.
    const unseen = async () => (await ben.call('GET /api/Stats/celebrations')).body;
    await expect.poll(unseen).toEqual([]);
    await hers.getByRole('button', { name: 'Hide milestone' }).click();
    await hers.getByRole('button', { name: 'Hide milestone' }).waitFor({ state: 'detached' });
    const asked = nextPageResponse(his, (response) => response.url().endsWith('/api/Stats/celebrations'));
    await his.reload();
    await his.getByRole('region', { name: 'Love Milestones' }).getByText('1 of 6').waitFor();
    expect(await (await asked).json()).toEqual([]);
    expect(await unseen()).toEqual([]);
    expect(await his.getByText('Milestone reached').count()).toBe(0);
  });

  it('stays while the pointer or the focus is on it, and disappears afterwards', {
    tags: ['stats.milestones.3'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    await completeDate(ada, { at: Date.now() - DAY, minutes: 60 });
    const page = await here.openAs(ada);
    // The test alone advances the page's clock, from before its first script.
    await page.clock.install({ time: Date.now() });
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.goto('/date-ideas/add');
    const text = page.getByText('Our very first date together');
    const hide = page.getByRole('button', { name: 'Hide milestone' });
    const appears = async () => {
      await page.clock.runFor(50);
      return text.isVisible();
    };
    await expect.poll(appears, { timeout: 30_000 }).toBe(true);
    await page.getByLabel('Title').focus();
    await text.hover();
    await letReactRender(page);
    await page.clock.runFor(30_000);
    await letReactRender(page);
    expect(await text.isVisible()).toBe(true);
    await hide.focus();
    await page.mouse.move(1, 1);
    await letReactRender(page);
    await page.clock.runFor(30_000);
    await letReactRender(page);
    expect(await text.isVisible()).toBe(true);
    await page.getByLabel('Title').focus();
    await letReactRender(page);
    await page.clock.runFor(9000);
    await letReactRender(page);
    expect(await text.isVisible()).toBe(true);
    await page.clock.runFor(1500);
    await text.waitFor({ state: 'detached' });
  });

  it('returns the focus when it is hidden', { tags: ['stats.milestones.3'] }, async () => {
    const { ada } = await registerCouple(here.app);
    await completeDate(ada, { at: Date.now() - DAY, minutes: 60 });
    const page = await here.openAs(ada);
    await keepNotices(page);
    await page.goto('/date-ideas/add');
    const title = page.getByLabel('Title');
    await title.focus();
    await page.getByRole('button', { name: 'Hide milestone' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Milestone reached').waitFor({ state: 'detached' });
    await expect.poll(() => title.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('counts as seen only once it was visible', { tags: ['stats.milestones.3'] }, async () => {
    const { ada } = await registerCouple(here.app);
    await completeDate(ada, { at: Date.now() - DAY, minutes: 60 });
    const unseen = async () => (await ada.call('GET /api/Stats/celebrations')).body.length;
    const page = await here.openAs(ada);
    await keepNotices(page);
    // It is shown even though the reply is lost.
    await page.route('**/api/Stats/celebrations', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      return route.abort();
    });
    const lost = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/api/Stats/celebrations'));
    await page.goto('/dashboard');
    await page.getByText('Milestone reached').waitFor();
    await lost;
    expect(await unseen()).toBe(1);
    await page.unroute('**/api/Stats/celebrations');
    await page.reload();
    await page.getByText('Milestone reached').waitFor();
    await expect.poll(unseen).toBe(0);
  });

  it.each([360, 768, 1280])(
    'covers no heading of a screen at %i pixels, and no notice',
    { tags: ['stats.milestones.3'] },
    async (width) => {
      const { ada } = await registerCouple(here.app);
      const { id } = await startDate(ada);
      const page = await here.openAs(ada, { viewport: { width, height: 640 } });
      await keepNotices(page);
      await page.goto(`/planned-dates/${id}/complete`);
      await page.getByLabel('Actual start time').fill('2026-11-20T18:00');
      await page.getByLabel('Actual end time').fill('2026-11-20T20:00');
      await page.getByRole('button', { name: 'Complete Date' }).click();
      const slip = page.getByRole('status').filter({ hasText: 'Milestone reached' });
      const notice = page.getByText('Completed! One more date to remember.');
      await slip.waitFor();
      await notice.first().waitFor();
      const boxOf = async (what: Locator) => (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const overlap = async (other: Locator) => {
        const [a, b] = [await boxOf(slip), await boxOf(other)];
        return a.y < b.y + b.height && b.y < a.y + a.height && a.x < b.x + b.width && b.x < a.x + a.width;
      };
      await expect.poll(async () => (await boxOf(slip)).height).toBeGreaterThan(40);
      await expect.poll(() => overlap(notice.first())).toBe(false);
      for (const link of ['Dashboard', 'Date Ideas', 'Our Dates', 'Memories', 'Our Story']) {
        if (width < 1280) await page.getByRole('button', { name: 'Menu' }).click();
        const target = page.getByRole('navigation').getByRole('link', { name: link, exact: true });
        const href = await target.getAttribute('href');
        await target.click();
        await page.waitForURL(`**${href}`);
        await page.locator('main:not([aria-busy]) h1').waitFor();
        await expect.poll(() => overlap(page.locator('h1'))).toBe(false);
      }
    },
  );

  it('waits until it can be seen, and combines the milestones of an old history', {
    tags: ['stats.milestones.3', 'stats.milestones.1', 'stats.milestones.2'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    for (const days of [2, 3, 4, 5, 6]) await completeDate(ada, { at: Date.now() - days * DAY, minutes: 150 });
    const page = await here.openAs(ada);
    await keepNotices(page);
    await gotoLive(page, '/date-ideas/add');
    const unseen = async () => (await ada.call('GET /api/Stats/celebrations')).body.map(({ title }) => title);
    const slip = page.getByRole('status').filter({ hasText: '3 milestones' });
    await slip.getByText('First Date, Time Flies and Date Night Regular').waitFor();
    await expect.poll(unseen).toEqual([]);
    await page.getByRole('button', { name: 'Hide milestone' }).click();

    await page.getByLabel('Title').fill('Half a thought');
    await page.getByRole('button', { name: 'Clear' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    const reply = page.waitForResponse(
      async (response) =>
        response.url().endsWith('/api/Stats/celebrations') && (await response.text()).includes('Date Master'),
    );
    for (const days of [7, 8, 9, 10, 11]) await completeDate(ada, { at: Date.now() - days * DAY, minutes: 10 });
    await reply;
    await setTimeout(MARKED_MS);
    expect(await page.getByText('Date Master').count()).toBe(0);
    expect(await unseen()).toEqual(['Date Master']);
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('status').filter({ hasText: 'Date Master' }).waitFor();
  });

  it('is followed by ideas that both want only when they can be seen', { tags: ['stats.milestones.3'] }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    await completeDate(ada, { at: Date.now() - DAY, minutes: 60 });
    const { id } = await addIdea(ada, { title: 'Stargazing' });
    for (const who of [ada, ben]) await who.call('PUT /api/DateIdeas/{id}/heart', { params: { id } });
    const unseen = async () => (await ada.call('GET /api/Stats/celebrations')).body.map(({ ideaId }) => ideaId);
    const page = await here.openAs(ada);
    await page.goto('/date-ideas/add');
    const milestone = page.getByText('Milestone reached');
    await milestone.waitFor();
    await page.getByLabel('Title').fill('Half a thought');
    await page.getByRole('button', { name: 'Clear' }).press('Enter');
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    await milestone.waitFor({ state: 'detached' });
    await setTimeout(MARKED_MS);
    expect(await page.getByText('Stargazing').count()).toBe(0);
    expect(await unseen()).toEqual([id]);
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('status').getByText('Stargazing').waitFor();
    await expect.poll(unseen).toEqual([]);
  });
});
