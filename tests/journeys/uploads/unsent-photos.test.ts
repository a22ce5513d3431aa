import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { holdRequests, killAndReopen } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import {
  choose,
  chooseFor,
  countOf,
  keptDateIds,
  keptPhotos,
  makePhotoFile,
  newDate,
  saveButton,
  succeeded,
} from '../upload-page.ts';

/** Chosen photographs survive a crash, with everything that was typed for them. */
describe('unsent photos', () => {
  const us = useCouple();
  const caption = (page: Page, n: number) => page.getByRole('textbox', { name: 'Caption' }).nth(n);
  const select = (page: Page) => page.getByRole('combobox', { name: 'Which magical date are these memories from?' });
  const copies = async (count: number, name: string) => {
    const one = await makePhotoFile(name);
    return Array.from({ length: count }, (_, n) => ({ ...one, name: `${name} ${n}.jpg` }));
  };

  it('come back with their caption and date after the tab is killed while typing', {
    tags: ['uploads.choosing.14'],
  }, async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    await page.goto('/memories/upload');
    await choose(page, [await makePhotoFile('a.jpg', 1), await makePhotoFile('b.jpg', 2)]);
    await select(page).selectOption(dateId);
    await caption(page, 0).fill('First');
    // The field keeps the focus, so only the input events can trigger saving.
    await caption(page, 1).pressSequentially('Half a sent');
    await expect.poll(async () => (await keptPhotos(page)).map((one) => one.caption)).toEqual(['First', 'Half a sent']);
    const next = await killAndReopen(page);
    await next.goto('/memories/upload');
    await next.getByRole('heading', { name: 'We kept 2 photos for you' }).waitFor();
    await next.getByRole('button', { name: 'Restore' }).click();
    await next.getByRole('heading', { name: '2 photos selected' }).waitFor();
    await expect.poll(() => caption(next, 0).inputValue()).toBe('First');
    await expect.poll(() => caption(next, 1).inputValue()).toBe('Half a sent');
    await expect.poll(() => select(next).inputValue()).toBe(dateId);
  });

  it('keep their own date if the page is opened for another one', { tags: ['uploads.choosing.14'] }, async () => {
    const page = await us.open();
    const [first, second] = [await newDate(us.ada), await newDate(us.ada)];
    await chooseFor(page, first, [await makePhotoFile('a.jpg', 1)]);
    await expect.poll(() => keptDateIds(page)).toEqual([first]);
    // The page can be used before it knows our dates.
    const answer = await holdRequests(page, '**/api/PlannedDates');
    await page.goto(`/memories/upload/${second}`);
    await choose(page, [await makePhotoFile('b.jpg', 2)]);
    await expect.poll(() => keptDateIds(page)).toEqual([first, second]);
    answer();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('heading', { name: '2 photos selected' }).waitFor();
    await page.getByRole('button', { name: 'Change the date of a.jpg' }).waitFor();
    await saveButton(page).click();
    await succeeded(page);
    expect([await countOf(us.ada, first), await countOf(us.ada, second)]).toEqual([1, 1]);
  });

  it('are offered, not sent, if they are not part of the upload that resumes after a reload', async () => {
    const page = await us.open();
    const [first, second] = [await newDate(us.ada), await newDate(us.ada)];
    await chooseFor(page, first, [await makePhotoFile('earlier.jpg', 1)]);
    await expect.poll(() => keptDateIds(page)).toEqual([first]);
    await page.goto(`/memories/upload/${second}`);
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    await choose(page, [await makePhotoFile('now.jpg', 2)]);
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(2);
    // The first attempt never arrives; the upload continues after the reload.
    await page.route('**/api/Memories', () => undefined, { times: 1 });
    await saveButton(page).click();
    await page.getByText('0 of 1 uploaded').waitFor();
    await expect.poll(async () => (await keptPhotos(page)).filter((one) => one.attempt !== null).length).toBe(1);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto('/memories/upload');
    await succeeded(page);
    expect(await countOf(us.ada, second)).toBe(1);
    // The device forgets it a moment later, unless the page is left before.
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(1);
    await page.goto('/memories/upload');
    await page.getByRole('heading', { name: 'We kept 1 photo for you' }).waitFor();
    expect(await countOf(us.ada, first)).toBe(0);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('earlier.jpg').waitFor();
    await expect.poll(() => select(page).inputValue()).toBe(first);
  });

  it('are restored up to a hundred; the rest stays on the device, and the page says so', {
    tags: ['uploads.choosing.15'],
  }, async () => {
    const page = await us.open();
    await page.goto('/memories/upload');
    await choose(page, await copies(60, 'earlier'));
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(60);
    await page.goto('/memories/upload');
    await page.getByRole('heading', { name: 'We kept 60 photos for you' }).waitFor();
    await choose(page, await copies(70, 'now'));
    await page.getByRole('heading', { name: '70 photos selected' }).waitFor();
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(130);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('heading', { name: '100 photos selected' }).waitFor();
    await page.getByRole('alert').getByText('The other 30 photos stay on this device').waitFor();
    await page.getByRole('heading', { name: 'We kept 30 photos for you' }).waitFor();
    expect((await keptPhotos(page)).length).toBe(130);
    // Removing some makes room for others.
    await page.getByRole('button', { name: 'Remove All' }).click();
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(30);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('heading', { name: '30 photos selected' }).waitFor();
    await expect.poll(() => page.getByRole('heading', { name: /We kept/ }).count()).toBe(0);
  });

  it('wait for the next upload with their captions if they are dropped while one runs', {
    tags: ['uploads.sending.10'],
  }, async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/Memories', async (route) => {
      if (route.request().method() === 'POST') await promise;
      await route.continue();
    });
    await chooseFor(page, dateId, [await makePhotoFile('a.jpg', 1)]);
    await saveButton(page).click();
    await page.getByText('0 of 1 uploaded').waitFor();
    await choose(page, [await makePhotoFile('b.jpg', 2)]);
    await page.getByText('1 photo added during the upload').waitFor();
    await caption(page, 1).fill('The second one');
    resolve();
    await page.getByRole('button', { name: 'Save 1 Memory' }).click();
    await succeeded(page);
    const { body } = await us.ada.call('GET /api/Memories/planned-date/{plannedDateId}', {
      params: { plannedDateId: dateId },
    });
    expect(new Set(body.map((memory) => memory.caption))).toEqual(new Set([null, 'The second one']));
    expect(body).toHaveLength(2);
  });
});
