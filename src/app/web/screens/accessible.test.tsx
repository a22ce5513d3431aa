import { beforeAll, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { addIdea, completeDate, planDate, startDate } from '../../../../tests/support/factories.ts';
import { findIssuesAtEverySize } from '../../../../tests/support/screen-issues.ts';
import { type Couple, registerUs, show, uploadPhoto } from '../../../../tests/support/screens.tsx';
import { DAY } from '../../../base/durations.ts';

const LONG = 'The slow Sunday we keep promising each other: '.repeat(10).trim();
const TITLE = LONG.slice(0, 200);

/** Shows a screen, and waits until it is loaded. */
async function open(path: string, us: Couple): Promise<void> {
  await show(path, us.ada);
  await expect.poll(() => document.querySelector('main:not([aria-busy]) h1')).not.toBeNull();
}

/** Every screen of ideas and dates conforms to WCAG 2.2 AA and doesn't scroll horizontally. */
describe('the screens of ideas and dates', () => {
  let us: Couple;
  const ids = { idea: '', planned: '', running: '', over: '' };
  beforeAll(async () => {
    us = await registerUs();
    const long = { title: TITLE, description: 'Donaudampfschifffahrt'.repeat(9), category: 'Outdoor' as const };
    const { id: idea } = await addIdea(us.ada, long);
    await addIdea(us.ada, { title: 'Resting', isActive: false });
    const { id: planned } = await planDate(us.ada, { idea, at: Date.now() + 3 * DAY, location: TITLE, notes: TITLE });
    await planDate(us.ada, { idea, at: Date.now() - 3 * DAY });
    const { id: running } = await startDate(us.ada, { idea, at: Date.now() });
    const { id: over } = await completeDate(us.ada, { idea, at: Date.now() - 9 * DAY, minutes: 80 });
    Object.assign(ids, { idea, planned, running, over });
  });

  it.each([
    { screen: 'ideas', path: () => '/date-ideas?inactive=true' },
    { screen: 'no ideas', path: () => '/date-ideas?search=submarine' },
    { screen: 'add', path: () => '/date-ideas/add' },
    { screen: 'edit an idea', path: () => `/date-ideas/${ids.idea}/edit` },
    { screen: 'plan', path: () => `/date-ideas/${ids.idea}/plan` },
    { screen: 'dates', path: () => '/planned-dates' },
    { screen: 'no dates', path: () => '/planned-dates?filter=cancelled' },
    { screen: 'details', path: () => `/planned-dates/${ids.planned}` },
    { screen: 'a completed date', path: () => `/planned-dates/${ids.over}` },
    { screen: 'edit a date', path: () => `/planned-dates/${ids.planned}/edit` },
    { screen: 'a refused edit', path: () => `/planned-dates/${ids.over}/edit` },
    { screen: 'complete', path: () => `/planned-dates/${ids.running}/complete` },
    { screen: 'not found', path: () => '/planned-dates/unknown' },
  ])(
    'are accessible on a phone, a tablet and a desktop: $screen',
    { tags: ['screens.controls.3'] },
    async ({ screen, path }) => {
      await open(path(), us);
      expect(await findIssuesAtEverySize(screen)).toEqual([]);
    },
  );

  it('are accessible with errors, and with a dialog over them', { tags: ['screens.controls.3'] }, async () => {
    await open('/date-ideas/add', us);
    await page.getByLabelText('Title', { exact: true }).fill('x'.repeat(300));
    await page.getByLabelText('Description').fill('y'.repeat(1001));
    await expect.element(page.getByText('Title cannot exceed 200 characters')).toBeVisible();
    expect(await findIssuesAtEverySize('errors')).toEqual([]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.element(page.getByRole('alertdialog')).toBeVisible();
    expect(await findIssuesAtEverySize('question')).toEqual([]);
  });
});

/** The gallery, the slideshow, the camera and the trash conform to WCAG 2.2 AA and don't scroll horizontally. */
describe('the photo screens', () => {
  let us: Couple;
  const ids = { long: '', empty: '', unbroken: '' };
  const slides = page.getByRole('dialog', { name: 'Slideshow' });
  beforeAll(async () => {
    us = await registerUs();
    const add = async (title: string) =>
      (await completeDate(us.ada, { idea: { title }, at: '2026-11-20T14:00:00Z', minutes: 60 })).id;
    Object.assign(ids, {
      long: await add(TITLE),
      empty: await add('Nothing yet'),
      unbroken: await add('W'.repeat(200)),
    });
    await uploadPhoto(us.ada, ids.unbroken, 5);
    await uploadPhoto(us.ada, ids.long, 1, LONG);
    await uploadPhoto(us.ada, ids.long, 2, 'Donaudampfschifffahrt'.repeat(9));
    for (let seed = 10; seed < 40; seed += 1) await uploadPhoto(us.ada, ids.long, seed);
    const gone = await uploadPhoto(us.ada, ids.long, 4, LONG);
    await us.ben.call('DELETE /api/Memories/{id}', { params: { id: gone.id } });
  });

  it.each([
    { screen: 'the grid', path: () => '/memories' },
    { screen: 'the list', path: () => '/memories?view=list' },
    { screen: 'a date with a long title', path: () => `/memories?dateId=${ids.long}` },
    { screen: 'a date with a title without a space', path: () => `/memories?dateId=${ids.unbroken}` },
  ])(
    'are accessible on a phone, a tablet and a desktop: $screen',
    { tags: ['memories.gallery.18'] },
    async ({ screen, path }) => {
      await open(path(), us);
      await expect.poll(() => document.querySelector('main li img')).not.toBeNull();
      expect(await findIssuesAtEverySize(screen)).toEqual([]);
    },
  );

  it('are accessible if a gallery is empty', { tags: ['memories.gallery.18'] }, async () => {
    await open(`/memories?dateId=${ids.empty}`, us);
    await expect.element(page.getByRole('heading', { name: 'No Memories Yet' })).toBeVisible();
    expect(await findIssuesAtEverySize('an empty gallery')).toEqual([]);
  });

  it('are accessible as a slideshow, whose words stay in the window', { tags: ['memories.gallery.18'] }, async () => {
    await open('/memories', us);
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await expect.element(slides.getByText('1 / 33')).toBeVisible();
    expect(await findIssuesAtEverySize('slideshow')).toEqual([]);
    await open(`/memories?dateId=${ids.unbroken}`, us);
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    const words = slides.getByText('WWW');
    await expect.element(words).toBeVisible();
    for (const width of [360, 768, 1280]) {
      await page.viewport(width, 800);
      const { left, right } = words.element().getBoundingClientRect();
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
    }
  });

  it('are accessible as a camera and as a trash', { tags: ['memories.gallery.18'] }, async () => {
    await open('/memories/upload', us);
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await expect.element(page.getByRole('button', { name: 'Capture photo' })).toBeEnabled();
    expect(await findIssuesAtEverySize('camera')).toEqual([]);
    await open('/settings', us);
    await expect.element(page.getByRole('button', { name: 'Put back' })).toBeVisible();
    expect(await findIssuesAtEverySize('recently deleted')).toEqual([]);
  });
});
