import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findPageIssues } from '../../support/accessibility.ts';
import { FAKE_CAMERA } from '../../support/chromium.ts';
import { asksBeforeClosing, gotoLive, RECONNECT } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { useApp } from '../../support/use-app.ts';
import { DESKTOP, PHONE } from '../../support/use-chromium.ts';
import { registerCoupleOnDate } from '../register-couple-on-date.ts';
import { storedRows } from '../stored-rows.ts';
import { takePhotos } from '../take-photos.ts';
import { choose, keptPhotos, makePhotoFile, saveButton, succeeded } from '../upload-page.ts';
import { blockDatabase, fillDevice, holdPatience, storeAgainSoon } from './failing-device-storage.ts';

/** The photographs of date mode: each is sent once, and none is lost. */
describe('photographs of date mode', () => {
  const here = useApp({ args: FAKE_CAMERA });

  const outTogether = () => registerCoupleOnDate(here.app);
  const albumOf = async (who: Partner, plannedDateId: string) =>
    (await who.call('GET /api/Memories', { query: { plannedDateId } })).body;
  /** What the page says, in date mode or above any other screen. */
  const saying = (page: Page, text: string) => page.getByText(text).filter({ visible: true });
  const unsent = (page: Page) => page.getByRole('img', { name: /^A photograph (on its way|that waits)/ });

  /** Holds uploads of all tabs until `release`, and counts them. `before` runs when the server has answered. */
  const holdUploads = async (context: BrowserContext, before: () => Promise<unknown> = async () => undefined) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let count = 0;
    await context.route('**/api/Memories', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      count += 1;
      await promise;
      const response = await route.fetch();
      await before();
      // The page may have been closed meanwhile.
      await route.fulfill({ response }).catch(() => undefined);
    });
    return { release: resolve, count: () => count };
  };

  it('are sent once if two tabs have them', { tags: ['datemode.5'] }, async () => {
    const { ada, date, path } = await outTogether();
    const first = await here.openAs(ada, PHONE);
    const uploads = await holdUploads(first.context());
    await gotoLive(first, path);
    await takePhotos(first, 2);
    // The other tab looks once for what is stored.
    await expect.poll(async () => (await keptPhotos(first)).length).toBe(2);
    const second = await first.context().newPage();
    // Both tabs may take the same picture, which the album would keep once.
    await second.addInitScript(() => {
      const draw = CanvasRenderingContext2D.prototype.drawImage as (...args: unknown[]) => void;
      CanvasRenderingContext2D.prototype.drawImage = function (...args: unknown[]) {
        draw.apply(this, args);
        this.fillRect(0, 0, 80, 80);
      };
    });
    await gotoLive(second, path);
    for (const page of [first, second]) await expect.poll(() => unsent(page).count()).toBe(2);
    // Each tab also has the photographs of the other.
    await takePhotos(second);
    await expect.poll(async () => (await keptPhotos(first)).length).toBe(3);
    uploads.release();
    for (const page of [first, second]) {
      await page.getByText('3 so far').waitFor();
      await expect.poll(() => unsent(page).count()).toBe(0);
    }
    expect(await albumOf(ada, date.id)).toHaveLength(3);
    expect(uploads.count()).toBe(3);
  });

  it('do not come back if they are deleted from the album before another tab looks', {
    tags: ['datemode.5'],
  }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const first = await here.openAs(ada, PHONE);
    const uploads = await holdUploads(first.context(), async () => {
      for (const { id } of await albumOf(ben, date.id)) await ben.call('DELETE /api/Memories/{id}', { params: { id } });
    });
    await gotoLive(first, path);
    await takePhotos(first);
    await expect.poll(async () => (await keptPhotos(first)).length).toBe(1);
    const second = await first.context().newPage();
    await gotoLive(second, path);
    await expect.poll(() => unsent(second).count()).toBe(1);
    uploads.release();
    for (const page of [first, second]) await page.getByText('None yet.').waitFor();
    expect(await albumOf(ada, date.id)).toEqual([]);
    expect(uploads.count()).toBe(1);
  });

  it('that the device can’t store are sent all the same; the page says so, and asks before they are lost', {
    tags: ['datemode.6'],
  }, async () => {
    const { ada, date, path } = await outTogether();
    const page = await here.openAs(ada, DESKTOP);
    await fillDevice(page);
    const uploads = await holdUploads(page.context());
    await gotoLive(page, path);
    await takePhotos(page, 2);
    const said = saying(page, 'This device couldn’t store 2 photographs. Please keep this page open until they are');
    await said.waitFor();
    await expect.poll(() => asksBeforeClosing(page)).toBe(true);
    expect(await findPageIssues(page, 'not stored')).toEqual([]);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.waitForURL((url) => url.pathname !== path);
    await said.waitFor();
    await page.getByRole('button', { name: `${ada.user.displayName} menu` }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    const question = page.getByRole('alertdialog', {
      name: '2 photos taken here have not been sent yet. Are you sure you want to sign out?',
    });
    await question.getByRole('button', { name: 'Stay' }).click();
    uploads.release();
    await expect.poll(async () => (await albumOf(ada, date.id)).length).toBe(2);
    await expect.poll(() => asksBeforeClosing(page)).toBe(false);
    await expect.poll(() => page.getByText(/^This device couldn’t store/).count()).toBe(0);
  });

  it('are stored before they are decoded, and sent although that never ends', {
    tags: ['datemode.6'],
  }, async () => {
    const { ada, date, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await page.addInitScript(() => {
      globalThis.createImageBitmap = () => new Promise(() => undefined);
    });
    const patience = await holdPatience(page);
    const uploads = await holdUploads(page.context());
    await gotoLive(page, path);
    await takePhotos(page);
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(1);
    expect(uploads.count()).toBe(0);
    await patience.end();
    uploads.release();
    await expect.poll(async () => (await albumOf(ada, date.id)).length, RECONNECT).toBe(1);
  });

  it('are stored as soon as there is space again, leave a full device when they are sent, and are not sent again', {
    tags: ['datemode.6'],
  }, async () => {
    const { ada, date, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await storeAgainSoon(page);
    const device = await fillDevice(page, { stores: '.' });
    const uploads = await holdUploads(page.context());
    await gotoLive(page, path);
    await takePhotos(page);
    const said = saying(page, 'This device couldn’t store 1 photograph. Please keep this page open until it is sent.');
    await said.waitFor();
    await device.clear();
    await said.waitFor({ state: 'detached' });
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(1);
    await device.fill();
    uploads.release();
    await page.getByText('1 so far').waitFor();
    await expect.poll(() => keptPhotos(page)).toEqual([]);
    await expect.poll(async () => (await storedRows(page, 'unsent-photographs', 'photos')).keys).toEqual([]);
    await expect.poll(() => unsent(page).count()).toBe(0);
    expect(await albumOf(ada, date.id)).toHaveLength(1);
    expect(uploads.count()).toBe(1);
  });

  it('are sent although the database does not open, and do not come back when it opens late', {
    tags: ['datemode.6'],
  }, async () => {
    const { ada, date, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    const patience = await holdPatience(page);
    const database = await blockDatabase(page);
    await gotoLive(page, path);
    await takePhotos(page);
    await expect.poll(() => unsent(page).count()).toBe(1);
    await patience.end();
    await expect.poll(async () => (await albumOf(ada, date.id)).length, RECONNECT).toBe(1);
    await expect.poll(() => unsent(page).count()).toBe(0);
    await database.open();
    await expect.poll(() => asksBeforeClosing(page)).toBe(false);
    await expect.poll(async () => (await storedRows(page, 'unsent-photographs', 'photos')).keys).toEqual([]);
    expect(await keptPhotos(page)).toEqual([]);
  });

  it('are asked about before a sign-out if the database does not open', { tags: ['datemode.6'] }, async () => {
    const { ada, path } = await outTogether();
    const page = await here.openAs(ada, DESKTOP);
    const patience = await holdPatience(page);
    await blockDatabase(page);
    await gotoLive(page, path);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: `${ada.user.displayName} menu` }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await patience.end();
    const question = page.getByRole('alertdialog', {
      name: 'We couldn’t check whether photos taken here have been sent. Are you sure you want to sign out?',
    });
    await question.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
  });

  it('are said to wait on the device once they are stored there, and not before', {
    tags: ['datemode.6'],
  }, async () => {
    const { ada, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await holdPatience(page);
    const database = await blockDatabase(page);
    await gotoLive(page, path);
    await page.getByText('None yet.').waitFor();
    // The camera's code is loaded on first use.
    await page.getByRole('button', { name: 'Take Photo', exact: true }).click();
    await page.getByRole('button', { name: 'Close camera', exact: true }).click();
    await page.context().setOffline(true);
    await saying(page, 'No network here.').waitFor();
    await takePhotos(page);
    await expect.poll(() => unsent(page).count()).toBe(1);
    await saying(page, 'No network here. What we add waits on this device and is sent later.').waitFor();
    await database.open();
    await saying(page, 'No network here. 1 photograph waits on this device and is sent later.').waitFor();
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(1);
  });

  it('ask before the page is closed until they are stored, also when the database opens late', {
    tags: ['datemode.6'],
  }, async () => {
    const { ada, date, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    const patience = await holdPatience(page);
    const database = await blockDatabase(page);
    const uploads = await holdUploads(page.context());
    await gotoLive(page, path);
    expect(await asksBeforeClosing(page)).toBe(false);
    await takePhotos(page);
    await expect.poll(() => asksBeforeClosing(page)).toBe(true);
    await patience.end();
    const said = saying(page, 'This device couldn’t store 1 photograph.');
    await said.waitFor();
    await database.open();
    await said.waitFor({ state: 'detached' });
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(1);
    await expect.poll(() => asksBeforeClosing(page)).toBe(false);
    uploads.release();
    await expect.poll(async () => (await albumOf(ada, date.id)).length).toBe(1);
    await expect.poll(() => keptPhotos(page)).toEqual([]);
  });

  it('ask the browser once to keep what is stored, and not before the first one is', {
    tags: ['screens.offline.11'],
  }, async () => {
    const { ada, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await page.addInitScript(() => {
      Object.assign(globalThis, { requests: 0 });
      StorageManager.prototype.persist = () => {
        (globalThis as unknown as { requests: number }).requests += 1;
        return Promise.reject(new Error('no'));
      };
    });
    const requests = () => page.evaluate(() => (globalThis as unknown as { requests: number }).requests);
    await gotoLive(page, path);
    await page.getByText('None yet.').waitFor();
    expect(await requests()).toBe(0);
    await takePhotos(page, 2);
    await page.getByText('2 so far').waitFor();
    await expect.poll(() => unsent(page).count()).toBe(0);
    expect(await requests()).toBe(1);
  });

  it('whose date the partner has deleted wait on the upload page, as every screen says', {
    tags: ['datemode.7'],
  }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    const uploads = await holdUploads(page.context());
    await gotoLive(page, path);
    await takePhotos(page, 2);
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(2);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.waitForURL((url) => url.pathname !== path);
    await ben.call('DELETE /api/PlannedDates/{id}', { params: { id: date.id } });
    uploads.release();
    const said = page.getByText('2 photographs could not be saved, and are still on this device.');
    await said.waitFor();
    await page.goto('/stats');
    await said.waitFor();
    expect(await findPageIssues(page, 'refused')).toEqual([]);
    await said.getByRole('link', { name: 'Restore them on the upload page' }).click();
    await page.getByRole('heading', { name: 'We kept 2 photos for you' }).waitFor();
    await expect.poll(() => said.count()).toBe(0);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('heading', { name: '2 photos selected' }).waitFor();
    await page.getByRole('button', { name: 'Remove All' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => keptPhotos(page)).toEqual([]);
    // The same page goes on, so it says what it knew on the last screen until it has counted again.
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Our Story', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Our Love Story in Numbers' }).waitFor();
    await said.waitFor({ state: 'detached' });
  });

  it('are sent in one queue with those of the upload page, and go on when that upload is stopped', {
    tags: ['datemode.5'],
  }, async () => {
    const { ada, date, path } = await outTogether();
    const page = await here.openAs(ada, DESKTOP);
    const uploads = await holdUploads(page.context());
    await gotoLive(page, path);
    await takePhotos(page);
    await expect.poll(uploads.count).toBe(1);
    // In the same page, by a link of the app.
    await page.evaluate((to) => history.pushState(null, '', to), `/memories/upload/${date.id}`);
    await choose(page, [await makePhotoFile('chosen.jpg', 5)]);
    await saveButton(page).click();
    await page.getByText('0 of 1 uploaded').waitFor();
    expect(uploads.count()).toBe(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/memories');
    uploads.release();
    await expect.poll(async () => (await albumOf(ada, date.id)).length).toBe(1);
    expect(uploads.count()).toBe(1);
    // What is sent is removed from the device after the answer.
    await expect.poll(async () => (await keptPhotos(page)).map(({ isStarted }) => isStarted)).toEqual([false]);
  });

  it('of the upload page’s camera that the device can’t store are uploaded; the page says so, and asks before they are lost', {
    tags: ['uploads.camera.8'],
  }, async () => {
    const { ada, date } = await outTogether();
    const page = await here.openAs(ada, DESKTOP);
    await fillDevice(page);
    await page.goto(`/memories/upload/${date.id}`);
    await takePhotos(page);
    const said = saying(
      page,
      'This device couldn’t store 1 photo taken here. Please keep this page open until it is saved.',
    );
    await said.waitFor();
    // A chosen photograph is still in the phone's gallery.
    await choose(page, [await makePhotoFile('chosen.jpg', 5)]);
    await page.getByRole('heading', { name: '2 photos selected' }).waitFor();
    await said.waitFor();
    expect(await findPageIssues(page, 'not stored')).toEqual([]);
    await expect.poll(() => asksBeforeClosing(page)).toBe(true);
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    const question = page.getByRole('alertdialog', { name: 'Our photos are not saved yet.' });
    await question.getByText('1 photo taken here is only on this page, and would be lost.').waitFor();
    await question.getByRole('button', { name: 'Stay' }).click();
    await saveButton(page).click();
    await succeeded(page);
    expect(await albumOf(ada, date.id)).toHaveLength(2);
    await expect.poll(() => asksBeforeClosing(page)).toBe(false);
  });
});
