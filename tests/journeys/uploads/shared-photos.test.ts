import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { planDate } from '../../support/factories.ts';
import { RECONNECT, untilControlled } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { signIn } from '../sign-in.ts';
import { isKnownOffline } from '../stored-rows.ts';
import { countOf, isRunKept, keptPhotos, makePhotoFile, saveButton, succeeded } from '../upload-page.ts';

/** Shares photographs with the app like a phone's gallery. */
async function share(page: Page, names: readonly string[], seed = 1): Promise<void> {
  const from = new URL(page.url()).pathname;
  // Seed 0: the same picture for all, to share many of them quickly.
  const same = seed === 0 ? await makePhotoFile('same.jpg') : undefined;
  const files = await Promise.all(
    names.map(async (name, n) => (same ? { ...same, name } : await makePhotoFile(name, seed + n))),
  );
  await page.evaluate(() => {
    const form = document.createElement('form');
    form.method = 'POST';
    form.enctype = 'multipart/form-data';
    form.action = '/memories/upload';
    form.id = 'gallery';
    form.innerHTML = '<input type="file" name="photos" multiple>';
    document.body.append(form);
  });
  await page.locator('#gallery input').setInputFiles(files);
  await Promise.all([
    page.waitForURL((url) => url.pathname !== from || url.searchParams.has('shared')),
    page.evaluate(() => (document.getElementById('gallery') as HTMLFormElement).submit()),
  ]);
}

describe('photos shared from another app', () => {
  const us = useCouple();

  it('are selected on the upload page, and can be saved there', { tags: ['screens.offline.12'] }, async () => {
    const page = await us.open({ serviceWorkers: 'allow' });
    const date = await planDate(us.ada);
    await page.goto('/dashboard');
    await untilControlled(page);
    await share(page, ['the weir.jpg', 'lamps.jpg']);
    expect(new URL(page.url()).pathname).toBe('/memories/upload');
    await page.getByText('2 photos selected').waitFor();
    await page.getByText('the weir.jpg').waitFor();
    // The service worker's copies are deleted once the page has stored the photographs.
    await expect.poll(() => page.evaluate(() => caches.has('shared-photographs'))).toBe(false);
    await page.getByLabel('Which magical date are these memories from?').selectOption(date.id);
    await saveButton(page).click();
    await succeeded(page);
    expect(await countOf(us.ada, date.id)).toBe(2);
  });

  const endSession = async (page: Page) => {
    await page.context().clearCookies();
    await page.goto('/dashboard');
    await page.getByLabel('Email').waitFor();
  };
  const expectNothingShared = async (page: Page) => {
    await page.getByRole('alert').getByText('The shared photographs did not arrive.').waitFor();
    await page.getByText('Drag and drop').waitFor();
    expect(await page.getByText(/photos? selected/).count()).toBe(0);
  };

  it('are selected after signing in where the share led, also if the page was closed before', async () => {
    const page = await us.openSignedOut({ serviceWorkers: 'allow', reducedMotion: 'reduce' });
    await page.goto('/auth/login');
    await untilControlled(page);
    await share(page, ['the weir.jpg']);
    await page.waitForURL(/returnUrl=/);
    const address = page.url();
    await page.goto('about:blank');
    await page.goto(address);
    await signIn(page, us.ada);
    await page.getByText('1 photo selected').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('while nobody is known are not shown to somebody who signs in there in another way', {
    tags: ['screens.offline.14'],
  }, async () => {
    const page = await us.openSignedOut({ serviceWorkers: 'allow', reducedMotion: 'reduce' });
    await page.goto('/auth/login');
    await untilControlled(page);
    await share(page, ['the weir.jpg']);
    await page.waitForURL(/returnUrl=/);
    await page.goto('/auth/login');
    await signIn(page, us.ben);
    // The flag makes the page say what it has found.
    await page.goto('/memories/upload?shared=true');
    await expectNothingShared(page);
  });

  it('after a session has ended wait for its user, and are not shown to somebody else', {
    tags: ['screens.offline.14'],
  }, async () => {
    const page = await us.open({ serviceWorkers: 'allow', reducedMotion: 'reduce' });
    await page.goto('/dashboard');
    await untilControlled(page);
    await expect.poll(() => isKnownOffline(page)).toBe(true);
    await endSession(page);
    await share(page, ['the weir.jpg']);
    await page.waitForURL(/returnUrl=.*shared/);
    await signIn(page, us.ben);
    await expectNothingShared(page);
    await endSession(page);
    await signIn(page, us.ada);
    await page.goto('/memories/upload');
    await page.getByText('1 photo selected').waitFor();
  });

  it('wait while an upload resumes, and are saved after it', { tags: ['screens.offline.12'] }, async () => {
    const page = await us.open({ serviceWorkers: 'allow' });
    const date = await planDate(us.ada);
    await page.goto(`/memories/upload/${date.id}`);
    await untilControlled(page);
    await page.getByLabel('Choose photos').setInputFiles([await makePhotoFile('under way.jpg', 40)]);
    await page.getByText('1 photo selected').waitFor();
    await expect.poll(() => isKnownOffline(page)).toBe(true);
    // Offline, the upload doesn't end before the test is ready.
    await page.context().setOffline(true);
    await saveButton(page).click();
    await page.getByText('We are offline. The upload continues').waitFor();
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(1);
    await expect.poll(() => isRunKept(page)).toBe(true);
    page.on('dialog', (dialog) => void dialog.accept());
    await share(page, ['the weir.jpg', 'lamps.jpg'], 50);
    await page.getByText('We are offline. The upload continues').waitFor();
    await page.getByText('the weir.jpg').waitFor();
    await page.getByText('2 photos added during the upload').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Save 2 Memories' }).waitFor(RECONNECT);
    expect(await countOf(us.ada, date.id)).toBe(1);
    await saveButton(page).click();
    await succeeded(page);
    expect(await countOf(us.ada, date.id)).toBe(3);
  });

  it('stay in the service worker’s cache until the page has stored them', {
    tags: ['screens.offline.12'],
  }, async () => {
    const page = await us.open({ serviceWorkers: 'allow' });
    const date = await planDate(us.ada);
    await page.goto('/dashboard');
    await untilControlled(page);
    // A full device: the store accepts no bytes.
    await page.addInitScript(() => {
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
        if (this.name === 'files') throw new DOMException('No room', 'QuotaExceededError');
        return put.call(this, value, key);
      };
    });
    await share(page, ['the weir.jpg', 'lamps.jpg'], 60);
    await page.getByText('2 photos selected').waitFor();
    await page.goto('/memories/upload');
    await page.getByText('2 photos selected').waitFor();
    await page.getByLabel('Which magical date are these memories from?').selectOption(date.id);
    await saveButton(page).click();
    await succeeded(page);
    await expect.poll(() => page.evaluate(() => caches.has('shared-photographs'))).toBe(false);
    expect(await countOf(us.ada, date.id)).toBe(2);
  });

  it('join the selection up to a hundred; the rest stays on the device, and the page says so', {
    tags: ['uploads.choosing.15'],
  }, async () => {
    const page = await us.open({ serviceWorkers: 'allow' });
    await page.goto('/dashboard');
    await untilControlled(page);
    const names = Array.from({ length: 103 }, (_, n) => `shared ${n}.jpg`);
    await share(page, names, 0);
    await page.getByText('100 photos selected').waitFor();
    await page.getByRole('alert').getByText('The other 3 photos stay on this device').waitFor();
    await page.getByRole('heading', { name: 'We kept 3 photos for you' }).waitFor();
    await expect.poll(() => page.evaluate(() => caches.has('shared-photographs'))).toBe(false);
    await page.goto('/memories/upload');
    await page.getByRole('heading', { name: 'We kept 103 photos for you' }).waitFor();
  });

  it('of which only a part fits on the device are counted, and the page asks for the others', {
    tags: ['screens.offline.13'],
  }, async () => {
    const page = await us.open({ serviceWorkers: 'allow' });
    await page.goto('/dashboard');
    await untilControlled(page);
    // The cache has space for two of them. A smaller photograph still fits after one that is too large.
    const [worker] = page.context().serviceWorkers();
    await worker?.evaluate(() => {
      const put = Cache.prototype.put;
      Cache.prototype.put = function (request, response) {
        if (typeof request === 'string' && /-00[02]$/.test(request))
          throw new DOMException('No room', 'QuotaExceededError');
        return put.call(this, request, response);
      };
    });
    await share(page, ['the weir.jpg', 'lamps.jpg', 'rain.jpg', 'harbor.jpg'], 70);
    await page.getByRole('heading', { name: '2 photos selected' }).waitFor();
    await page
      .getByRole('alert')
      .getByText('Only 2 of 4 shared photographs arrived. Please choose the others here.')
      .waitFor();
    await page.getByText('lamps.jpg').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('are reported missing if there is no service worker', async () => {
    const page = await us.open();
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await share(page, ['the weir.jpg']);
    await page.getByRole('alert').getByText('The shared photographs did not arrive.').waitFor();
  });
});
