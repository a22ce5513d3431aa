import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityIssues } from '../../support/accessibility.ts';
import { DESKTOP, gotoLive, holdRequests, PHONE, tabTo } from '../../support/browser.ts';
import { addIdea, addPhoto, completeDate, planDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

const DAY = 86_400_000;

/** The search of everything that the couple keeps. */
describe('the search', () => {
  const us = useCouple();
  beforeAll(async () => {
    const idea = { title: 'That Thai place', description: 'By the canal', category: 'Food' as const };
    const date = await completeDate(us.ada, {
      idea,
      at: Date.now() - 30 * DAY,
      minutes: 90,
      location: 'Café Ångström',
    });
    await addPhoto(us.ada, date.id, 1, 'The thai soup');
    await planDate(us.ada, { idea: { title: 'A secret' }, location: 'Thai spa', at: Date.now() + DAY, surprise: true });
    for (let n = 0; n < 52; n += 1) await addIdea(us.ada, { title: `Yodel ${String(n).padStart(2, '0')}` });
  });

  const field = (page: Page) => page.getByRole('searchbox', { name: 'Search our story' });
  const section = (page: Page, name: string) => page.getByRole('region', { name });
  const marks = (page: Page, name: string) => section(page, name).locator('mark').allInnerTexts();

  it('is opened from the navigation, and finds as one types, with the words marked', {
    tags: ['search.5', 'search.6', 'search.8', 'search.9'],
  }, async () => {
    const page = await us.open(DESKTOP);
    await gotoLive(page, '/dashboard');
    await page.getByRole('navigation').getByRole('link', { name: 'Search our story' }).click();
    await page.waitForURL('/search');
    await page.getByRole('heading', { name: 'Search', level: 1, exact: true }).waitFor();
    await expect.poll(() => field(page).evaluate((box) => box === document.activeElement)).toBe(true);

    await field(page).pressSequentially('t');
    expect(await page.getByRole('article').count()).toBe(0);
    await field(page).pressSequentially('hai');
    await page.getByRole('status').getByText('1 idea, 2 dates, 1 memory found').waitFor();
    await section(page, 'Ideas').getByRole('article').getByRole('link', { name: 'Plan This Date' }).waitFor();
    await section(page, 'Dates').getByRole('link', { name: 'Add Memories' }).waitFor();
    await section(page, 'Memories').getByRole('link', { name: 'View memory: The thai soup' }).waitFor();
    expect(await marks(page, 'Ideas')).toEqual(['Thai']);
    expect(await marks(page, 'Memories')).toEqual(['thai']);
    await page.waitForURL('/search?q=thai');

    await field(page).fill('CAFE angstrom thai');
    await page.getByRole('status').getByText('0 ideas, 1 date, 0 memories found').waitFor();
    expect(await marks(page, 'Dates')).toEqual(['Thai', 'Café', 'Ångström']);
    await field(page).fill('nowhere at all');
    await page.getByText('No matches for “nowhere at all”.').waitFor();
    await page.context().close();
  });

  it('hides from the partner what a surprise hides, and shows it live once it is revealed', {
    tags: ['search.3', 'search.5'],
  }, async () => {
    const page = await us.openAs(us.ben, PHONE);
    await gotoLive(page, '/search?q=spa');
    await page.getByText('No matches for “spa”.').waitFor();
    const { body } = await us.ada.call('GET /api/Search', { query: { q: 'spa' } });
    const id = body.plannedDates[0]?.id ?? '';
    await us.ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id } });
    await section(page, 'Dates').getByRole('heading', { name: 'A secret' }).waitFor();
    await page.context().close();
  });

  it('shows more, up to 50, and then asks for another word', { tags: ['search.7'] }, async () => {
    const page = await us.open(PHONE);
    await page.goto('/search?q=yodel');
    const cards = section(page, 'Ideas').getByRole('article');
    await expect.poll(() => cards.count()).toBe(20);
    await section(page, 'Ideas').getByText('52', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => cards.count()).toBe(50);
    await page.getByText('Add a word to narrow it down').waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await page.context().close();
  });

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
    await page.context().close();
  });

  it('shows the answer to the last words, whichever comes last', { tags: ['search.5'] }, async () => {
    const page = await us.open(DESKTOP);
    await gotoLive(page, '/search');
    const release = await holdRequests(page, '**/api/Search?q=soup&*');
    await field(page).fill('soup');
    await field(page).fill('canal');
    await section(page, 'Ideas').getByRole('heading', { name: 'That Thai place' }).waitFor();
    release();
    await expect.poll(() => page.getByRole('link', { name: 'View memory: The thai soup' }).count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Ideas' }).count()).toBe(1);
    await page.context().close();
  });

  it('looks offline in what was last seen, and says so', { tags: ['search.10'] }, async () => {
    const page = await us.open(DESKTOP);
    await gotoLive(page, '/planned-dates');
    await page.getByText('That Thai place').first().waitFor();
    await page.getByRole('link', { name: 'Memories', exact: true }).click();
    await page.getByRole('button', { name: 'View: The thai soup' }).waitFor();
    await page.getByRole('link', { name: 'Search our story' }).click();
    await field(page).waitFor();
    await page.context().setOffline(true);
    await field(page).fill('thai');
    await page.getByText('this is what was last seen on this device').waitFor();
    await section(page, 'Dates').getByRole('heading', { name: 'That Thai place' }).waitFor();
    await page.getByRole('link', { name: 'View memory: The thai soup' }).waitFor();
    await page.context().setOffline(false);
    await section(page, 'Ideas').getByRole('heading', { name: 'That Thai place' }).waitFor();
    await expect.poll(() => page.getByText('last seen on this device').count()).toBe(0);
    await page.context().close();
  });

  it.each([
    ['light', 1280],
    ['dark', 768],
    ['light', 360],
  ] as const)(
    'is accessible, %s, %i px wide',
    { tags: ['search.5', 'screens.controls.3'] },
    async (colorScheme, width) => {
      const page = await us.open({ colorScheme, viewport: { width, height: 800 } });
      await page.goto('/search?q=thai');
      await section(page, 'Memories').waitFor();
      expect(await findAccessibilityIssues(page, 'found')).toEqual([]);
      await page.goto('/search?q=nothing-here');
      await page.getByText('No matches for').waitFor();
      expect(await findAccessibilityIssues(page, 'nothing found')).toEqual([]);
      await page.context().close();
    },
  );
});
