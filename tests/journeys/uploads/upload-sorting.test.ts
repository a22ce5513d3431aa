import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { completeDate, planDate } from '../../support/factories.ts';
import { makeJpeg } from '../../support/images.ts';
import { countRequests } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { choose, chooseFor, keptPhotos, makePhotoFile, saveButton, succeeded } from '../upload-page.ts';

/** 'Sort them in' assigns photographs to the dates on which they were taken. */
describe('photos of several dates', () => {
  const us = useCouple({ timeZone: 'Europe/Rome' });
  let arezzo: string;
  let dinner: string;
  beforeAll(async () => {
    const { ada } = us;
    const weekend = { idea: { title: 'Two days in Arezzo' }, at: '2026-10-17T08:50:00Z', minutes: 1825 };
    ({ id: arezzo } = await completeDate(ada, weekend));
    ({ id: dinner } = await completeDate(ada, {
      idea: { title: 'Dinner by the river' },
      at: '2026-10-20T18:00:00Z',
      minutes: 120,
    }));
    await planDate(ada, { idea: { title: 'The market' }, at: '2026-12-01T10:00:00Z' });
  });

  let seed = 40;
  const takenAt = async (name: string, takenAt: string, offset?: string) => ({
    ...(await makePhotoFile(name)),
    buffer: await makeJpeg({ seed: (seed += 1), takenAt, ...(offset === undefined ? {} : { offset }) }),
  });
  /** Two from the weekend (one only by its offset), one from the dinner, one without a capture time. */
  const fromTheTrip = async () => [
    await takenAt('tower.jpg', '2026:10:17 12:00:00'),
    // 8 a.m. on the 18th in Rome.
    await takenAt('morning.jpg', '2026:10:18 15:00:00', '+09:00'),
    await takenAt('menu.jpg', '2026:10:20 20:30:00'),
    await makePhotoFile('scan.jpg', 39),
  ];
  const sortIn = (page: Page) => page.getByRole('button', { name: 'Sort them in' }).click();
  const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

  it('keep their dates after a reload', async () => {
    const page = await us.open();
    await page.goto('/memories/upload');
    await choose(page, (await fromTheTrip()).slice(0, 2));
    await sortIn(page);
    await expect.poll(() => keptDates(page)).toEqual([arezzo, arezzo]);
    await page.goto('/memories/upload');
    await page.getByRole('button', { name: 'Restore' }).click();
    await card(page, 'tower.jpg').getByText('Two days in Arezzo').waitFor();
    await expect.poll(() => saveButton(page).isEnabled()).toBe(true);
  });

  it('are not sorted on a page opened for a date', async () => {
    const page = await us.open();
    const readers = countRequests(page, '/assets/read-capture-time-');
    await page.goto('/memories/upload');
    await choose(page, (await fromTheTrip()).slice(0, 2));
    await page.getByRole('button', { name: 'Sort them in' }).waitFor();
    const before = readers();
    expect(before).toBeGreaterThan(0);
    await chooseFor(page, dinner, (await fromTheTrip()).slice(0, 2));
    await page.getByText('2 photos selected').waitFor();
    // The selection would request the code that reads when they were taken, before they are saved.
    await page.getByRole('button', { name: 'Save 2 Memories' }).click();
    await succeeded(page);
    expect(readers()).toBe(before);
  });
});

/** Returns the date of each stored photograph in the page's IndexedDB. */
const keptDates = async (page: Page) => (await keptPhotos(page)).map(({ ownDateId }) => ownDateId);
