import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { findAccessibilityIssues } from '../support/accessibility.ts';
import { DESKTOP, FAKE_CAMERA, gotoLive, PHONE } from '../support/browser.ts';
import type { Partner } from '../support/client.ts';
import { useApp } from '../support/use-app.ts';
import { asksBeforeClosing, blockDatabase, fillDevice, holdPatience } from './full-device.ts';
import { goOutTogether } from './out-together.ts';
import { RECONNECT } from './stored-rows.ts';
import { takePhotos } from './take-photos.ts';
import { answerUploads } from './upload-page.ts';

/** What becomes of photographs that exist only on a page when its session ends (contract 6, decision 30). */
describe('photographs that exist only on a page when the session ends', () => {
  const here = useApp({ args: FAKE_CAMERA });

  const outTogether = () => goOutTogether(here.app);
  const albumOf = async (who: Partner, plannedDateId: string) =>
    (await who.call('GET /api/Memories', { query: { plannedDateId } })).body;
  const saying = (page: Page, text: string) => page.getByText(text).filter({ visible: true });
  /** Holds the uploads of a page until `release`, which aborts them. */
  const holdUploads = async (page: Page) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await answerUploads(page, async (route) => {
      await promise;
      await route.abort();
    });
    return { release: resolve };
  };
  const signIn = async (page: Page, { email, password }: Partner) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const rescueOn = (page: Page) => page.getByRole('alertdialog', { name: 'Our session has ended' });
  const linksOn = (page: Page) => rescueOn(page).getByRole('link', { name: /^Save / });

  it('are stored when an expired session has made space, and sent after signing in again', async () => {
    const { ada, ben, date, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await fillDevice(page, { until: 'last-seen' });
    const uploads = await holdUploads(page);
    await gotoLive(page, path);
    await takePhotos(page);
    await saying(page, 'This device couldn’t store 1 photograph.').waitFor();
    await ada.call('POST /api/auth/logout');
    uploads.release();
    await page.waitForURL(/\/auth\/login/, RECONNECT);
    await signIn(page, ada);
    await page.getByText('1 so far').waitFor();
    await expect.poll(async () => (await albumOf(ben, date.id)).length, RECONNECT).toBe(1);
  });

  it('can be saved as files when the session ends on a full device', async () => {
    const { ada, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await fillDevice(page);
    const uploads = await holdUploads(page);
    await gotoLive(page, path);
    await takePhotos(page, 2);
    await saying(page, 'This device couldn’t store 2 photographs.').waitFor();
    await ada.call('POST /api/auth/logout');
    uploads.release();
    const rescue = rescueOn(page);
    await rescue.getByText('2 photographs that we took are only on this page.', { exact: false }).waitFor();
    await rescue.getByRole('button', { name: 'Go on without them' }).waitFor();
    expect(await findAccessibilityIssues(page, 'rescue')).toEqual([]);
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
    expect(await asksBeforeClosing(page)).toBe(true);
    const links = linksOn(page);
    for (const left of [1, 0]) {
      const [download] = await Promise.all([page.waitForEvent('download'), links.first().click()]);
      expect(download.suggestedFilename()).toMatch(/\.jpe?g$/);
      expect(await sharp(await download.path()).metadata()).toMatchObject({ format: 'jpeg' });
      await expect.poll(() => links.count()).toBe(left);
    }
    await rescue.getByRole('button', { name: 'Sign in again' }).click();
    await page.waitForURL(/\/auth\/login/);
  });

  it('while it stores them are stored first, and sent after signing in again', async () => {
    const { ada, ben, date, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await holdPatience(page);
    const database = await blockDatabase(page);
    await gotoLive(page, path);
    await takePhotos(page);
    await ada.call('POST /api/auth/logout');
    await page.getByRole('main').waitFor({ state: 'detached' });
    expect(await asksBeforeClosing(page)).toBe(true);
    await database.open();
    await page.waitForURL(/\/auth\/login/);
    await signIn(page, ada);
    await page.getByText('1 so far').waitFor();
    await expect.poll(async () => (await albumOf(ben, date.id)).length, RECONNECT).toBe(1);
  });

  it('while it stores them are offered as files if that does not succeed', async () => {
    const { ada, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    const patience = await holdPatience(page);
    await blockDatabase(page);
    await gotoLive(page, path);
    await takePhotos(page);
    await ada.call('POST /api/auth/logout');
    await page.getByRole('main').waitFor({ state: 'detached' });
    expect(await asksBeforeClosing(page)).toBe(true);
    await patience.end();
    await rescueOn(page).getByText('1 photograph that we took is only on this page.', { exact: false }).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), linksOn(page).click()]);
    expect(await sharp(await download.path()).metadata()).toMatchObject({ format: 'jpeg' });
    await rescueOn(page).getByRole('button', { name: 'Sign in again' }).click();
    await page.waitForURL(/\/auth\/login/);
  });

  it.each(['can’t be stored', 'are being stored'])(
    'and %s are offered as files after a sign-out in another tab, unseen, while the device is cleared at once',
    async (state) => {
      const { ada, path } = await outTogether();
      const page = await here.openAs(ada, DESKTOP);
      if (state === 'can’t be stored') await fillDevice(page);
      else {
        await holdPatience(page);
        await blockDatabase(page);
      }
      await holdUploads(page);
      await gotoLive(page, path);
      await takePhotos(page, 2);
      if (state === 'can’t be stored') await saying(page, 'This device couldn’t store 2 photographs.').waitFor();
      const other = await page.context().newPage();
      await other.goto('/stats');
      await other.getByRole('button', { name: `${ada.user.displayName} menu` }).click();
      await other.getByRole('button', { name: 'Sign out' }).click();
      // The other tab can't open the database either.
      if (state !== 'can’t be stored')
        await other.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
      await other.getByLabel('Email').waitFor();
      await expect.poll(() => linksOn(page).count()).toBe(2);
      expect(await page.locator('img, canvas').count()).toBe(0);
      expect(await asksBeforeClosing(page)).toBe(true);
      const kept = () =>
        other.evaluate(async () => ({
          databases: (await indexedDB.databases()).map(({ name }) => name),
          known: localStorage.getItem('known'),
        }));
      // The test's connection blocks the deletion of an empty one.
      const databases = state === 'can’t be stored' ? [] : ['unsent-photographs'];
      await expect.poll(kept).toEqual({ databases, known: null });
      const [download] = await Promise.all([page.waitForEvent('download'), linksOn(page).last().click()]);
      expect(await sharp(await download.path()).metadata()).toMatchObject({ format: 'jpeg' });
      await rescueOn(page).getByRole('button', { name: 'Go on without them' }).click();
      await page.waitForURL(/\/auth\/login/);
    },
  );

  it('do not hold up the draft of an open form: it is stored before they are offered', async () => {
    const { ada, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await fillDevice(page);
    await holdUploads(page);
    await gotoLive(page, path);
    await takePhotos(page);
    await saying(page, 'This device couldn’t store 1 photograph.').waitFor();
    await page.evaluate(() => history.pushState(null, '', '/date-ideas/add'));
    await page.getByLabel('Title').fill('Half typed');
    await ada.call('POST /api/auth/logout');
    await linksOn(page).waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('draft'))).toContain('Half typed');
  });

  it('are not sent as somebody else who signs in meanwhile in another tab', async () => {
    const { ada, ben, date, path } = await outTogether();
    const page = await here.openAs(ada, DESKTOP);
    await fillDevice(page);
    const uploads = await holdUploads(page);
    await gotoLive(page, path);
    await takePhotos(page);
    const other = await page.context().newPage();
    await other.goto('/stats');
    await other.getByRole('button', { name: `${ada.user.displayName} menu` }).click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await linksOn(page).waitFor();
    await signIn(other, ben);
    await other.getByRole('button', { name: `${ben.user.displayName} menu` }).waitFor();
    const renewal = page.waitForResponse('**/api/auth/renew');
    uploads.release();
    await renewal;
    await linksOn(page).waitFor();
    expect(await page.getByRole('main').count()).toBe(0);
    expect(await albumOf(ben, date.id)).toEqual([]);
  });
});
