import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoViolations } from '../../support/accessibility.ts';
import { FAKE_CAMERA } from '../../support/chromium.ts';
import { useCouple } from '../../support/use-app.ts';
import { takePhotos } from '../take-photos.ts';
import { answerUploads, choose, countOf, keptPhotos, newDate, photo, save } from '../upload-page.ts';
import { fillDevice } from './full-device.ts';

/** A photograph taken with the app's camera is nowhere else until it is uploaded. */
describe('photos taken on the upload page that are not uploaded', () => {
  const us = useCouple({ args: FAKE_CAMERA });

  /** Opens the upload of a date and takes photos. `kept`: how many the device stores. */
  const shoot = async (count = 1, { isFull = false } = {}) => {
    const dateId = await newDate(us.ada);
    const page = await us.open();
    const device = isFull ? await fillDevice(page) : null;
    await page.goto(`/memories/upload/${dateId}`);
    await takePhotos(page, count);
    if (isFull) await page.getByText(/^This device couldn’t store/).waitFor();
    else await isKept(page, count);
    return { page, dateId, device };
  };
  const isKept = async (page: Page, count: number) => {
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(count);
  };
  const cards = (page: Page) => page.getByRole('button', { name: /^Remove captured-memory-/ });
  const question = (page: Page, count: number) =>
    page.getByRole('alertdialog', {
      name:
        count === 1
          ? '1 photo taken here has not been sent yet. Are you sure you want to delete it?'
          : `${count} photos taken here have not been sent yet. Are you sure you want to delete them?`,
      exact: true,
    });
  const answer = async (page: Page, count: number, by: 'Keep' | 'Delete') => {
    await question(page, count).getByRole('button', { name: by, exact: true }).click();
    await question(page, count).waitFor({ state: 'detached' });
  };

  it.each([404, 409, 507])(
    'are not deleted unasked by ‘Continue without them’ after a %i',
    { tags: ['uploads.camera.7'] },
    async (status) => {
      const { page, dateId } = await shoot();
      await choose(page, [await photo('chosen.jpg', 1)]);
      await answerUploads(page, (route) =>
        route.fulfill({ status, contentType: 'application/problem+json', body: '{}' }),
      );
      await save(page).click();
      const onwards = page.getByRole('link', { name: 'Continue without them' });
      await onwards.click();
      await question(page, 1).waitFor();
      await isKept(page, 1);
      if (status === 507) await expectNoViolations(page);
      await answer(page, 1, 'Keep');
      await isKept(page, 1);
      expect(await cards(page).count()).toBe(1);
      // It is still there to be sent.
      await page.getByRole('button', { name: 'Retry Failed Uploads' }).waitFor();
      await onwards.click();
      await answer(page, 1, 'Delete');
      await page.waitForURL('**/memories?dateId=*');
      await isKept(page, 0);
      expect(await countOf(us.ada, dateId)).toBe(1);
    },
  );

  it.each([false, true])(
    'are not deleted unasked by ‘Cancel’ (full device: %s)',
    { tags: ['uploads.camera.7'] },
    async (isFull) => {
      const { page, device } = await shoot(2, { isFull });
      const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
      await cancel.click();
      await answer(page, 2, 'Keep');
      expect(await cards(page).count()).toBe(2);
      // Escape keeps them too.
      await cancel.click();
      await question(page, 2).waitFor();
      await page.keyboard.press('Escape');
      await question(page, 2).waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname).toContain('/upload');
      await isKept(page, isFull ? 0 : 2);
      await device?.clear();
      await cancel.click();
      await answer(page, 2, 'Delete');
      await page.waitForURL('**/memories');
      await isKept(page, 0);
    },
  );

  it('are not deleted unasked by ‘Remove All’, nor one by one', { tags: ['uploads.camera.7'] }, async () => {
    const { page } = await shoot(2);
    await choose(page, [await photo('chosen.jpg', 1)]);
    await isKept(page, 3);
    // A chosen photograph is still where it was chosen.
    await page.getByRole('button', { name: 'Remove chosen.jpg' }).click();
    await page.getByRole('heading', { name: '2 photos selected' }).waitFor();
    await cards(page).first().click();
    await answer(page, 1, 'Keep');
    expect(await cards(page).count()).toBe(2);
    const removeAll = page.getByRole('button', { name: 'Remove All' });
    await removeAll.click();
    await answer(page, 2, 'Keep');
    await isKept(page, 2);
    await cards(page).first().click();
    await answer(page, 1, 'Delete');
    await page.getByRole('heading', { name: '1 photo selected' }).waitFor();
    await isKept(page, 1);
    await removeAll.click();
    await answer(page, 1, 'Delete');
    await page.getByText('Drag and drop').waitFor();
    await isKept(page, 0);
  });

  it('are not deleted unasked by ‘Discard’ at the next visit', { tags: ['uploads.camera.7'] }, async () => {
    const { page } = await shoot();
    await choose(page, [await photo('chosen.jpg', 1)]);
    await isKept(page, 2);
    await page.goto('/memories/upload');
    const discard = page.getByRole('button', { name: 'Discard' });
    await discard.click();
    await answer(page, 1, 'Keep');
    await page.getByRole('heading', { name: 'We kept 2 photos for you' }).waitFor();
    await isKept(page, 2);
    await discard.click();
    await answer(page, 1, 'Delete');
    await page.getByRole('heading', { name: /^We kept/ }).waitFor({ state: 'detached' });
    await isKept(page, 0);
  });

  it('are counted among those that the device can’t store when the page is left without those that failed', {
    tags: ['uploads.camera.7'],
  }, async () => {
    const { page } = await shoot(2, { isFull: true });
    await answerUploads(
      page,
      (route) => route.continue(),
      (route) => route.fulfill({ status: 507, contentType: 'application/problem+json', body: '{}' }),
    );
    await save(page).click();
    const onwards = page.getByRole('link', { name: 'Continue without them' });
    await onwards.waitFor();
    // Of these three, one is uploaded, one has failed, and one was taken since.
    await takePhotos(page);
    await onwards.click();
    await answer(page, 2, 'Keep');
    expect(await cards(page).count()).toBe(3);
    await onwards.click();
    // One question is enough.
    await answer(page, 2, 'Delete');
    await page.waitForURL('**/memories?dateId=*');
  });
});
