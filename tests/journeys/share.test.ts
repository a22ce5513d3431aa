import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { type Partner, registerCouple } from '../support/client.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { planDate } from '../support/story.ts';
import { countOf, photo, save, windowOf } from './upload-page.ts';

/** What the phone's gallery does when photographs are shared with our app (the manifest's share target; issue 5). */
async function share(page: Page, names: readonly string[]): Promise<void> {
  const files = await Promise.all(names.map(async (name, seed) => ({ ...(await photo(name, seed + 1)) })));
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
    page.waitForURL((url) => url.pathname !== '/dashboard' && url.pathname !== '/settings'),
    page.evaluate(() => (document.getElementById('gallery') as HTMLFormElement).submit()),
  ]);
}

describe('photographs shared from the gallery', () => {
  const chromium = useChromium();
  let app: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { web: true });
    ({ ada } = await registerCouple(app));
  });
  afterAll(() => app.close());

  it('land on the upload page, chosen, and are saved from there', async () => {
    const page = await windowOf(chromium, ada, { serviceWorkers: 'allow' });
    const date = await planDate(ada);
    await page.goto('/dashboard');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await share(page, ['the weir.jpg', 'lamps.jpg']);
    expect(new URL(page.url()).pathname).toBe('/memories/upload');
    await page.getByText('2 photos selected').waitFor();
    await page.getByText('the weir.jpg').waitFor();
    expect(await page.evaluate(() => caches.has('shared-photographs'))).toBe(false);
    await page.getByLabel('Which magical date are these memories from?').selectOption(date.id);
    await save(page).click();
    await page.getByText('Memories Uploaded Successfully!').waitFor();
    expect(await countOf(ada, date.id)).toBe(2);
  });

  it('are there after signing in', async () => {
    const page = await chromium.open(app.url, { serviceWorkers: 'allow', reducedMotion: 'reduce' });
    await page.goto('/auth/login');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await share(page, ['the weir.jpg']);
    await page.waitForURL(/returnUrl=/);
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password', { exact: true }).fill(ada.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('1 photo selected').waitFor();
  });

  it('where there is no worker the page says that nothing came', async () => {
    const page = await windowOf(chromium, ada);
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await share(page, ['the weir.jpg']);
    await page.getByRole('alert').getByText('The shared photographs did not arrive.').waitFor();
  });
});
