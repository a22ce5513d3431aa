import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { addIdea } from '../../support/factories.ts';
import { letReactRender } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';

/** The links of the navigation bar. */
const LINKS = [
  { name: 'Dashboard', path: '/dashboard', heading: 'Our Love Story', title: 'Our Love Story' },
  { name: 'Date Ideas', path: '/date-ideas', heading: 'Date Ideas', title: 'Date Ideas · Our Love Story' },
  { name: 'Our Dates', path: '/planned-dates', heading: 'Our Dates', title: 'Our Dates · Our Love Story' },
  { name: 'Memories', path: '/memories', heading: 'Our Memories', title: 'Our Memories · Our Love Story' },
  { name: 'Our Story', path: '/stats', heading: 'Our Love Story in Numbers', title: 'Our Story · Our Love Story' },
] as const;

/** Waits until a page has opened: its h1 has the focus, the page is at the top, and the tab has its title. */
async function expectArrival(page: Page, { path, heading, title }: (typeof LINKS)[number]): Promise<void> {
  await page.waitForURL((url) => url.pathname === path);
  await page.waitForFunction(
    (text) => document.activeElement?.matches('main h1') && document.activeElement.textContent === text,
    heading,
  );
  await expect.poll(() => page.locator('h1').count()).toBe(1);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect.poll(() => page.title()).toBe(title);
}

describe('navigation', () => {
  const us = useCouple();
  beforeAll(async () => {
    for (let n = 1; n <= 12; n += 1) await addIdea(us.ada, { title: `Idea ${n}` });
  });

  it('scrolls to the top, focuses the heading and sets the title; going back restores the scroll position', {
    tags: ['screens.navigation.1', 'screens.navigation.3'],
  }, async () => {
    const page = await us.open();
    await page.goto('/settings');
    const bar = page.getByRole('navigation', { name: 'Main' });
    for (const link of LINKS) {
      await bar.getByRole('link', { name: link.name, exact: true }).click();
      await expectArrival(page, link);
      const current = bar.getByRole('link', { name: link.name, exact: true });
      await expect.poll(() => current.getAttribute('aria-current')).toBe('page');
    }
    await bar.getByRole('link', { name: 'Date Ideas' }).click();
    await page.getByText('12 ideas found').waitFor();
    await page.getByRole('heading', { name: 'Idea 9', exact: true }).scrollIntoViewIfNeeded();
    // The scroll event comes with the next frame.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(100);
    await bar.getByRole('link', { name: 'Our Dates' }).evaluate((link) => (link as HTMLElement).click());
    await expectArrival(page, LINKS[2]);
    await page.goBack();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
  });

  it('is a menu on a phone that closes when a link is pressed', { tags: ['screens.navigation.2'] }, async () => {
    const page = await us.open(PHONE);
    await page.goto('/dashboard');
    const menu = page.getByRole('button', { name: 'Menu' });
    const link = page.getByRole('link', { name: 'Our Story', exact: true });
    await menu.waitFor();
    expect(await link.isVisible()).toBe(false);
    await menu.click();
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('true');
    await link.click();
    await expectArrival(page, LINKS[4]);
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => link.isVisible()).toBe(false);
  });

  it('shows the bar only to signed-in users', { tags: ['screens.navigation.1', 'screens.navigation.4'] }, async () => {
    const page = await us.openSignedOut();
    await page.clock.install();
    const loaded = page.waitForEvent('requestfinished', (one) => one.url().includes('/assets/chunk-of-idle-parts-'));
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    // The hearts would come from this code. Each of its parts waits a few seconds at most until the page is idle.
    await loaded;
    await page.clock.runFor(5000);
    await letReactRender(page);
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
    expect(await page.getByTestId('floating-hearts').count()).toBe(0);
  });
});
