import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlannedDate } from '../../../src/dates/contract.ts';
import { answerOnce } from '../../support/answer-once.ts';
import { DESKTOP, gotoLive, keepNotices, PHONE } from '../../support/browser.ts';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';
import { keptAnswers } from '../stored-rows.ts';

describe('the gallery', () => {
  const us = useCouple();
  let beach: PlannedDate;
  let arezzo: PlannedDate;
  beforeAll(async () => {
    beach = await completeDate(us.ada, { idea: { title: 'The whole beach' }, at: '2026-11-20T14:00:00Z', minutes: 60 });
    arezzo = await completeDate(us.ada, { idea: { title: 'Arezzo' }, at: '2026-10-17T09:00:00Z', minutes: 60 });
    await addPhoto(us.ada, beach.id, 1, 'One pair of gloves');
    await addPhoto(us.ada, beach.id, 2);
    await addPhoto(us.ada, arezzo.id, 3, 'Ours is the third door');
  });

  const tiles = (page: Page) => page.locator('main li img');
  const alts = async (page: Page) => page.getByRole('button', { name: /^View(:|$)/ }).allInnerTexts();

  it('shows all memories, newest first, with View and Delete', {
    tags: ['memories.gallery.1', 'memories.gallery.6', 'memories.gallery.9'],
  }, async () => {
    const page = await us.openAs(us.ben, DESKTOP);
    await page.goto('/memories');
    await page.getByRole('heading', { level: 1, name: 'Our Memories' }).waitFor();
    await page.getByText('Every photo tells the story of our love').waitFor();
    await page.getByRole('status').getByText('3 memories found').waitFor();
    await expect.poll(() => tiles(page).count()).toBe(3);
    await expect.poll(() => page.getByRole('listitem').first().innerText()).toContain('Ours is the third door');
    await expect.poll(() => page.getByRole('button', { name: /^Delete/ }).count()).toBe(3);
    await expect.poll(() => alts(page)).toHaveLength(3);
  });

  it('filters by date, and shows the filter', { tags: ['memories.gallery.4', 'memories.gallery.8'] }, async () => {
    const page = await us.open(PHONE);
    await page.goto('/memories');
    const date = page.getByRole('combobox', { name: 'Date' });
    await expect
      .poll(() => date.locator('option').allInnerTexts())
      .toEqual(['All', 'The whole beach - Nov 20, 2026', 'Arezzo - Oct 17, 2026']);
    await date.selectOption(beach.id);
    await page.getByText('2 memories found for The whole beach - Nov 20, 2026').waitFor();
    await page.getByText('Filtered').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('dateId')).toBe(beach.id);
    await page.reload();
    await page.getByText('2 memories found for The whole beach').waitFor();
    await page.getByRole('link', { name: 'Upload Memory' }).click();
    await page.waitForURL(`**/memories/upload/${beach.id}`);
  });

  it('sorts, switches between grid and list, and keeps both in the address', {
    tags: ['memories.gallery.6', 'memories.gallery.7', 'memories.gallery.9'],
  }, async () => {
    const page = await us.open(DESKTOP);
    await page.goto('/memories');
    await page.getByText('3 memories found').waitFor();
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('date-asc');
    await expect.poll(() => page.getByRole('listitem').first().innerText()).toContain('One pair of gloves');
    await expect.poll(() => page.getByRole('button', { name: 'Grid' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'List' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'List' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByText('no caption').waitFor();
    await page
      .getByText(/· \d+(\.\d)? (bytes|KB)/)
      .first()
      .waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=date-asc&view=list');
    await page.reload();
    await page.getByText('no caption').waitFor();
    await page.getByRole('combobox', { name: 'Sort' }).selectOption({ label: 'File size' });
    await page.waitForURL('**/memories?sort=size&view=list');
    const sizes = async () =>
      (await page.getByText(/· \d/).allInnerTexts()).map((text) => Number(/(\d+) bytes/.exec(text)?.[1]));
    // The list keeps its three rows while it changes their order.
    const isSorted = (found: number[]) => found.every((size, n) => n === 0 || size <= (found[n - 1] ?? 0));
    await expect
      .poll(async () => {
        const found = await sizes();
        return [found.length, isSorted(found)];
      })
      .toEqual([3, true]);
  });

  it('remembers the order, which an address with another one does not change', {
    tags: ['memories.gallery.7'],
  }, async () => {
    const page = await us.open(PHONE);
    const sort = page.getByRole('combobox', { name: 'Sort' });
    await page.goto('/memories');
    await sort.selectOption('Our Story, from the Beginning');
    await page.goto('/memories?sort=size');
    await expect.poll(() => sort.inputValue()).toBe('size');
    await page.goto('/memories');
    await expect.poll(() => sort.inputValue()).toBe('story-asc');
  });

  it('remembers grid or list', { tags: ['memories.gallery.7'] }, async () => {
    const page = await us.open(PHONE);
    const pressed = (name: string) => page.getByRole('button', { name }).getAttribute('aria-pressed');
    await page.goto('/memories');
    await page.getByRole('button', { name: 'List' }).click();
    await page.getByText('no caption').waitFor();
    await page.goto('/memories');
    await page.getByText('no caption').waitFor();
    await expect.poll(async () => [await pressed('Grid'), await pressed('List')]).toEqual(['false', 'true']);
    await page.getByRole('button', { name: 'Grid' }).click();
    await expect.poll(() => pressed('Grid')).toBe('true');
    await page.goto('/memories');
    await page.getByText('3 memories found').waitFor();
    await expect.poll(() => pressed('Grid')).toBe('true');
  });

  it('disables uploading and the slideshow while it loads', { tags: ['memories.gallery.2'] }, async () => {
    const page = await us.open(DESKTOP);
    let answer = () => undefined as void;
    const held = new Promise<void>((done) => {
      answer = done;
    });
    await page.route('**/api/Memories?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/memories');
    await page.getByText('Loading our memories...').waitFor({ state: 'attached' });
    expect(await page.getByRole('status').getByText('Loading our memories...').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'View Slideshow' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Upload Memory' }).isDisabled()).toBe(true);
    answer();
    await page.getByText('3 memories found').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'View Slideshow' }).isDisabled()).toBe(false);
    await page.getByRole('link', { name: 'Upload Memory' }).waitFor();
  });

  it('starts with the date in the address, and passes its flag on to the upload', {
    tags: ['memories.gallery.5'],
  }, async () => {
    const page = await us.open(DESKTOP);
    await page.goto(`/memories?dateId=${arezzo.id}&fromComplete=true`);
    await page.getByText('1 memory found for Arezzo - Oct 17, 2026').waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Date' }).inputValue()).toBe(arezzo.id);
    await page.getByRole('link', { name: 'Upload Memory' }).click();
    await page.waitForURL(`**/memories/upload/${arezzo.id}?fromComplete=true`);
  });

  it('deletes after a confirmation, and restores with Undo', { tags: ['memories.gallery.12'] }, async () => {
    const page = await us.open(PHONE);
    const ben = await us.openAs(us.ben);
    await gotoLive(ben, '/memories');
    await ben.getByText('3 memories found').waitFor();
    await keepNotices(page);
    await page.goto('/memories');
    const remove = page.getByRole('button', { name: 'Delete: Ours is the third door' });
    await remove.click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Are you sure you want to delete this memory?').waitFor();
    await question.getByText(/30 days.*Recently deleted/).waitFor();
    await question.getByRole('button', { name: 'Keep' }).click();
    await page.getByText('3 memories found').waitFor();
    await remove.click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 memories found').waitFor();
    await expect.poll(() => remove.count()).toBe(0);
    await ben.getByText('2 memories found').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 memories found').waitFor();
    await ben.getByText('3 memories found').waitFor();
  });

  it('reports that a memory could not be deleted', { tags: ['memories.gallery.12'] }, async () => {
    const page = await us.open();
    await page.route('**/api/Memories/*', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
    );
    await page.goto('/memories');
    await page.getByRole('button', { name: 'Delete: One pair of gloves' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alert').getByText('Failed to delete memory. Please try again.').waitFor();
    await page.getByText('3 memories found').waitFor();
  });

  it('shows a heart for a picture that does not load', { tags: ['memories.gallery.10'] }, async () => {
    const page = await us.open();
    await page.route('**/image?size=thumbnail', (route) => route.fulfill({ status: 503 }));
    await page.goto('/memories');
    await page.getByText('3 memories found').waitFor();
    await expect.poll(() => page.locator('main li svg[viewBox="0 0 24 24"]:not(.lucide)').count()).toBe(3);
    await expect.poll(() => tiles(page).count()).toBe(0);
  });

  it('reports that it could not be loaded, and retries', { tags: ['memories.gallery.3'] }, async () => {
    const page = await us.open();
    await answerOnce(page, 'GET /api/Memories?*', 'cut');
    await page.goto('/memories');
    await page.getByText('Failed to load memories. Please try again.').waitFor();
    expect(await page.getByRole('button', { name: 'View Slideshow' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText('3 memories found').waitFor();
  });

  it('works without the list of dates', { tags: ['memories.gallery.4'] }, async () => {
    const page = await us.open();
    await page.route('**/api/PlannedDates/completed', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/api/PlannedDates/completed'));
    await page.goto('/memories');
    await failed;
    await page.getByText('3 memories found').waitFor();
    // The code that stores an answer also looks for a stored one after a failure.
    await expect
      .poll(async () => (await keptAnswers(page)).some((key) => key.startsWith('["memories","album"')))
      .toBe(true);
    await page.getByRole('button', { name: 'List' }).click();
    await page.getByText('no caption').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('an empty gallery', () => {
  const us = useCouple();

  it('asks for the first memory', { tags: ['memories.gallery.2', 'memories.gallery.11'] }, async () => {
    const page = await us.open();
    await page.goto('/memories');
    await page.getByRole('heading', { name: 'No Memories Yet' }).waitFor();
    await page.getByText('No memories yet! Upload our first photo to start building our gallery.').waitFor();
    expect(await page.getByRole('button', { name: 'View Slideshow' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Upload Our First Memory' }).click();
    await page.waitForURL('**/memories/upload');
  });

  it('does not overlap the floating button, whatever the height of the phone', {
    tags: ['memories.gallery.1', 'memories.gallery.11'],
  }, async () => {
    const page = await us.open(PHONE);
    await page.goto('/memories');
    const action = page.getByRole('link', { name: 'Upload Our First Memory' });
    await action.waitFor();
    const floating = page.getByRole('link', { name: 'Upload Memory' });
    for (const height of [640, 700, 740, 780]) {
      await page.setViewportSize({ width: 360, height });
      const gap = async () => {
        const below = (await floating.boundingBox())?.y ?? 0;
        const { y = 0, height: tall = 0 } = (await action.boundingBox()) ?? {};
        return below - (y + tall);
      };
      await expect.poll(gap, { message: `${height} pixels tall` }).toBeGreaterThan(0);
    }
  });

  it('leads back from a date without memories, or an unknown date', {
    tags: ['memories.gallery.4', 'memories.gallery.11'],
  }, async () => {
    const page = await us.open();
    const date = await completeDate(us.ada, { idea: { title: 'Rain' }, at: '2026-11-20T14:00:00Z', minutes: 60 });
    await page.goto(`/memories?dateId=${date.id}`);
    await page.getByText('No memories found for this date. Start capturing beautiful moments!').waitFor();
    await page.getByText('0 memories found for Rain - Nov 20, 2026').waitFor();
    await page.getByRole('button', { name: 'Show All Memories' }).click();
    await page.getByText('No memories yet!').waitFor();
    await page.goto('/memories?dateId=none');
    await page.getByText('0 memories found for Unknown Date').waitFor();
  });
});
