import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { registerCouple } from '../support/client.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { completeDate } from '../support/story.ts';
import { windowOf } from './upload-page.ts';

const DAY = 86_400_000;

describe('a milestone reached (issue 5)', () => {
  const chromium = useChromium();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { web: true });
  });
  afterAll(() => app.close());

  it('is shown to both partners at once, on whichever screen, without taking the focus; and only once', async () => {
    const { ada, ben } = await registerCouple(app);
    const hers = await windowOf(chromium, ada, { name: 'Ada', reducedMotion: 'no-preference' });
    const his = await windowOf(chromium, ben, { name: 'Ben' });
    await hers.goto('/date-ideas/add');
    await his.goto('/stats');
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
    const { violations } = await new AxeBuilder({ page: his }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);

    await hers.getByRole('button', { name: 'Hide milestone' }).click();
    await hers.getByRole('button', { name: 'Hide milestone' }).waitFor({ state: 'detached' });
    await his.reload();
    await his.getByRole('region', { name: 'Love Milestones' }).getByText('1 of 6').waitFor();
    expect((await ben.call('GET /api/Stats/celebrations')).body).toEqual([]);
    expect(await his.getByText('A milestone of ours').count()).toBe(0);
  });

  it('waits until it can be seen, and tells those of an old history as one', async () => {
    const { ada } = await registerCouple(app);
    for (const days of [2, 3, 4, 5, 6]) await completeDate(ada, { at: Date.now() - days * DAY, minutes: 150 });
    const page = await windowOf(chromium, ada);
    await page.goto('/date-ideas/add');
    const told = page.getByRole('status').filter({ hasText: '3 milestones' });
    await told.getByText('First Date, Time Flies and Date Night Regular').waitFor();
    await page.getByRole('button', { name: 'Hide milestone' }).click();

    await page.getByLabel('Title').fill('Half a thought');
    await page.getByRole('button', { name: 'Clear' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    const asked = page.waitForResponse((response) => response.url().endsWith('/api/Stats/celebrations'));
    for (const days of [7, 8, 9, 10, 11]) await completeDate(ada, { at: Date.now() - days * DAY, minutes: 10 });
    await asked;
    expect((await ada.call('GET /api/Stats/celebrations')).body.map(({ title }) => title)).toEqual(['Date Master']);
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('status').filter({ hasText: 'Date Master' }).waitFor();
  });
});
