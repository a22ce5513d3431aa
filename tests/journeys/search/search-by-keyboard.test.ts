import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../../src/base/durations.ts';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { gotoLive, tabTo } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { DESKTOP } from '../../support/use-chromium.ts';

/** The search of everything that the couple keeps. */
describe('the search', () => {
  const us = useCouple();
  beforeAll(async () => {
    const date = await completeDate(us.ada, { at: Date.now() - DAY, minutes: 90 });
    await addPhoto(us.ada, date.id, 1, 'The thai soup');
  });

  const field = (page: Page) => page.getByRole('searchbox', { name: 'Search our story' });

  it('needs the keyboard alone', { tags: ['search.6'] }, async () => {
    const page = await us.open(DESKTOP);
    await gotoLive(page, '/date-ideas');
    const other = page.getByRole('searchbox', { name: 'Search', exact: true });
    await other.focus();
    await page.keyboard.type('a/b');
    expect(await other.inputValue()).toBe('a/b');
    // The keys work once the page is idle.
    await expect
      .poll(async () => {
        await page.keyboard.press('ControlOrMeta+K');
        return new URL(page.url()).pathname;
      })
      .toBe('/search');
    await expect.poll(() => field(page).evaluate((box) => box === document.activeElement)).toBe(true);
    await page.keyboard.type('soup');
    const print = page.getByRole('link', { name: 'View memory: The thai soup' });
    await print.waitFor();
    await tabTo(print);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Slideshow' }).waitFor();
    await page.keyboard.press('/');
    expect(new URL(page.url()).pathname).toBe('/memories');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.waitForURL(/\/search$/);
  });
});
