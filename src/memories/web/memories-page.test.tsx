import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { completeDate } from '../../../tests/support/factories.ts';
import { failCalls, holdCalls, refuseCalls, repairAtClick } from '../../../tests/support/handle-calls.ts';
import { address, type Couple, registerUs, show, textsOf, uploadPhoto } from '../../../tests/support/screens.tsx';

const status = (text: string) => page.getByRole('status').getByText(text);
const date = page.getByRole('combobox', { name: 'Date' });
const sort = page.getByRole('combobox', { name: 'Sort', exact: true });
const grid = page.getByRole('button', { name: 'Grid', exact: true });
const list = page.getByRole('button', { name: 'List', exact: true });
const slideshow = page.getByRole('button', { name: 'View Slideshow' });

/** The text of the first memory. */
const firstItem = () => textsOf(page.getByRole('main').getByRole('listitem'))[0];

beforeEach(() => page.viewport(1280, 800));

describe('the gallery', () => {
  let us: Couple;
  let beach: string;
  let arezzo: string;
  beforeAll(async () => {
    us = await registerUs();
    const [whole, tuscan] = [{ title: 'The whole beach' }, { title: 'Arezzo' }];
    ({ id: beach } = await completeDate(us.ada, { idea: whole, at: '2026-11-20T14:00:00Z', minutes: 60 }));
    ({ id: arezzo } = await completeDate(us.ada, { idea: tuscan, at: '2026-10-17T09:00:00Z', minutes: 60 }));
    await uploadPhoto(us.ada, beach, 1, 'One pair of gloves');
    await uploadPhoto(us.ada, beach, 2);
    await uploadPhoto(us.ada, arezzo, 3, 'Ours is the third door');
  });

  it('shows all memories, newest first, with View and Delete', {
    tags: ['memories.gallery.1', 'memories.gallery.6', 'memories.gallery.9'],
  }, async () => {
    await show('/memories', us.ben);
    await expect.element(page.getByRole('heading', { level: 1, name: 'Our Memories' })).toBeVisible();
    await expect.element(page.getByText('Every photo tells the story of our love')).toBeVisible();
    await expect.element(status('3 memories found')).toBeVisible();
    await expect.poll(firstItem).toContain('Ours is the third door');
    expect(page.getByRole('button', { name: /^Delete/ }).elements()).toHaveLength(3);
    expect(page.getByRole('button', { name: /^View(:|$)/ }).elements()).toHaveLength(3);
  });

  it('filters by date, and shows the filter', { tags: ['memories.gallery.4', 'memories.gallery.8'] }, async () => {
    await show('/memories', us.ada);
    await expect
      .poll(() => textsOf(date.getByRole('option')))
      .toEqual(['All', 'The whole beach - Nov 20, 2026', 'Arezzo - Oct 17, 2026']);
    await date.selectOptions(beach);
    await expect.element(status('2 memories found for The whole beach - Nov 20, 2026')).toBeVisible();
    await expect.element(page.getByText('Filtered')).toBeVisible();
    await expect.poll(address).toBe(`/memories?dateId=${beach}`);
    await page.getByRole('link', { name: 'Upload Memory' }).click();
    await expect.poll(address).toBe(`/memories/upload/${beach}`);
  });

  it('starts with the date in the address, and passes its flag on to the upload', {
    tags: ['memories.gallery.5'],
  }, async () => {
    await show(`/memories?dateId=${arezzo}&fromComplete=true`, us.ada);
    await expect.element(status('1 memory found for Arezzo - Oct 17, 2026')).toBeVisible();
    await expect.element(date).toHaveValue(arezzo);
    await page.getByRole('link', { name: 'Upload Memory' }).click();
    await expect.poll(address).toBe(`/memories/upload/${arezzo}?fromComplete=true`);
  });

  it('sorts, and keeps the order in the address', { tags: ['memories.gallery.6', 'memories.gallery.7'] }, async () => {
    await show('/memories?view=list', us.ada);
    await sort.selectOptions('date-asc');
    await expect.poll(firstItem).toContain('One pair of gloves');
    await expect.poll(address).toBe('/memories?view=list&sort=date-asc');
    await sort.selectOptions('File size');
    await expect.poll(address).toBe('/memories?view=list&sort=size');
    const sizes = () => textsOf(page.getByText(/· \d/)).map((text) => Number(/(\d+) bytes/.exec(text)?.[1]));
    await expect.poll(() => sizes().length).toBe(3);
    // The list keeps its rows while it changes their order.
    await expect.poll(() => sizes().every((size, n, all) => n === 0 || size <= (all[n - 1] ?? 0))).toBe(true);
  });

  it('remembers the order, which an address with another one does not change', {
    tags: ['memories.gallery.7'],
  }, async () => {
    await show('/memories', us.ada);
    await sort.selectOptions('Our Story, from the Beginning');
    await show('/memories?sort=size', us.ada);
    await expect.element(sort).toHaveValue('size');
    await show('/memories', us.ada);
    await expect.element(sort).toHaveValue('story-asc');
    await sort.selectOptions('date-desc');
  });

  it('switches between grid and list, and remembers which', {
    tags: ['memories.gallery.7', 'memories.gallery.9'],
  }, async () => {
    await show('/memories', us.ada);
    await expect.element(grid).toHaveAttribute('aria-pressed', 'true');
    await list.click();
    await expect.element(list).toHaveAttribute('aria-pressed', 'true');
    await expect.element(page.getByText('no caption')).toBeVisible();
    await show('/memories', us.ada);
    await expect.element(list).toHaveAttribute('aria-pressed', 'true');
    await grid.click();
    await show('/memories', us.ada);
    await expect.element(grid).toHaveAttribute('aria-pressed', 'true');
  });

  it('disables uploading and the slideshow while it loads', { tags: ['memories.gallery.2'] }, async () => {
    const { ada } = await registerUs();
    const held = holdCalls('GET /api/Memories');
    await show('/memories', ada);
    await expect.element(status('Loading our memories...')).toBeInTheDocument();
    await expect.element(slideshow).toBeDisabled();
    await expect.element(page.getByRole('button', { name: 'Upload Memory' })).toBeDisabled();
    held.release();
    await expect.element(page.getByRole('link', { name: 'Upload Memory' })).toBeVisible();
  });

  it('reports that a memory could not be deleted', { tags: ['memories.gallery.12'] }, async () => {
    failCalls('DELETE /api/Memories/*');
    await show('/memories', us.ada);
    await page.getByRole('button', { name: 'Delete: One pair of gloves' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    const alert = page.getByRole('alert').getByText('Failed to delete memory. Please try again.');
    await expect.element(alert).toBeVisible();
    await expect.element(status('3 memories found')).toBeVisible();
  });

  it('shows a heart for a picture that does not load', { tags: ['memories.gallery.10'] }, async () => {
    await show('/memories', us.ada);
    const pictures = () => [...document.querySelectorAll<HTMLImageElement>('main li img')];
    await expect.poll(pictures).toHaveLength(3);
    for (const picture of pictures()) picture.src = '/api/Memories/none/image';
    await expect.poll(pictures).toEqual([]);
    expect(document.querySelectorAll('main li svg[viewBox="0 0 24 24"]:not(.lucide)')).toHaveLength(3);
  });

  it('reports that it could not be loaded, and retries', { tags: ['memories.gallery.3'] }, async () => {
    const { ada } = await registerUs();
    const repair = refuseCalls('GET /api/Memories', 500);
    await show('/memories', ada);
    await expect.element(page.getByText('Failed to load memories. Please try again.')).toBeVisible();
    await expect.element(slideshow).toBeDisabled();
    repairAtClick(repair);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(page.getByRole('heading', { name: 'No Memories Yet' })).toBeVisible();
  });

  it('works without the list of dates', { tags: ['memories.gallery.4'] }, async () => {
    const { ada } = await registerUs();
    const { id } = await completeDate(ada, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    await uploadPhoto(ada, id);
    failCalls('GET /api/PlannedDates/completed');
    await show('/memories', ada);
    await expect.element(status('1 memory found')).toBeVisible();
    await list.click();
    await expect.element(page.getByText('no caption')).toBeVisible();
    expect(page.getByRole('alert').elements()).toEqual([]);
    await grid.click();
  });
});

describe('an empty gallery', () => {
  let us: Couple;
  beforeAll(async () => {
    us = await registerUs();
  });

  it('asks for the first memory', { tags: ['memories.gallery.2', 'memories.gallery.11'] }, async () => {
    await show('/memories', us.ada);
    await expect.element(page.getByRole('heading', { name: 'No Memories Yet' })).toBeVisible();
    const text = 'No memories yet! Upload our first photo to start building our gallery.';
    await expect.element(page.getByText(text)).toBeVisible();
    await expect.element(slideshow).toBeDisabled();
    await page.getByRole('link', { name: 'Upload Our First Memory' }).click();
    await expect.poll(address).toBe('/memories/upload');
  });

  it('does not overlap the floating button, whatever the height of the phone', {
    tags: ['memories.gallery.1', 'memories.gallery.11'],
  }, async () => {
    await show('/memories', us.ada);
    const action = page.getByRole('link', { name: 'Upload Our First Memory' });
    const floating = page.getByRole('link', { name: 'Upload Memory' });
    await expect.element(action).toBeVisible();
    for (const height of [640, 700, 740, 780]) {
      await page.viewport(360, height);
      const gap = () =>
        floating.element().getBoundingClientRect().top - action.element().getBoundingClientRect().bottom;
      await expect.poll(gap, { message: `${height} pixels tall` }).toBeGreaterThan(0);
    }
  });

  it('leads back from a date without memories', { tags: ['memories.gallery.4', 'memories.gallery.11'] }, async () => {
    const { id } = await completeDate(us.ada, { idea: { title: 'Rain' }, at: '2026-11-20T14:00:00Z', minutes: 60 });
    await show(`/memories?dateId=${id}`, us.ada);
    const text = 'No memories found for this date. Start capturing beautiful moments!';
    await expect.element(page.getByText(text)).toBeVisible();
    await expect.element(status('0 memories found for Rain - Nov 20, 2026')).toBeVisible();
    await page.getByRole('button', { name: 'Show All Memories' }).click();
    await expect.element(page.getByText('No memories yet!')).toBeVisible();
  });

  it('says so of an unknown date', { tags: ['memories.gallery.4'] }, async () => {
    await show('/memories?dateId=none', us.ada);
    await expect.element(status('0 memories found for Unknown Date')).toBeVisible();
  });
});
