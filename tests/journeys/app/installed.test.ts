import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/server/app.ts';
import { readConfig } from '../../../src/base/server/process/config.ts';
import { sqliteAndDisk } from '../../support/engines.ts';
import { letReactRender, untilControlled } from '../../support/page-steps.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { BUILT_PAGE } from '../../support/test-app.ts';
import { createTestStorage } from '../../support/test-storage.ts';
import { useCouple } from '../../support/use-app.ts';
import { openAs, useChromium } from '../../support/use-chromium.ts';

/** Fires the browser's install event. `answers` is the user's choice. */
const offerInstall = (page: Page, answers: 'accepted' | 'dismissed' | 'fails') =>
  page.evaluate((outcome) => {
    const event = new Event('beforeinstallprompt', { cancelable: true });
    Object.assign(event, {
      prompt: () => (outcome === 'fails' ? Promise.reject(new Error('No.')) : Promise.resolve()),
      userChoice: Promise.resolve({ outcome }),
    });
    window.dispatchEvent(event);
  }, answers);

describe('installing the app', () => {
  const us = useCouple();

  it('is offered only if it is possible, pauses a second after each attempt, and is not offered once it is done', {
    tags: ['screens.offline.1'],
  }, async () => {
    const page = await us.open();
    await page.clock.install();
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Quick Actions' }).waitFor();
    const button = page.getByRole('button', { name: 'Install App' });
    expect(await button.count()).toBe(0);
    const warnings: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    for (const [hours, answer] of (['dismissed', 'fails'] as const).entries()) {
      await offerInstall(page, answer);
      await button.waitFor();
      await page.clock.pauseAt(new Date(Date.now() + (hours + 1) * 3_600_000));
      await button.click();
      const busy = page.getByRole('button', { name: 'Installing...' });
      await busy.waitFor();
      await expect.poll(() => busy.isDisabled()).toBe(true);
      // The second begins once the browser has answered.
      await letReactRender(page);
      await page.clock.runFor(999);
      await letReactRender(page);
      expect(await busy.count()).toBe(1);
      await page.clock.runFor(2);
      await button.waitFor();
      await page.clock.resume();
    }
    // A failed attempt is only logged.
    await expect.poll(() => warnings.join()).toContain('could not be installed');
    expect(await page.getByRole('alert').count()).toBe(0);

    await page.evaluate(() => window.dispatchEvent(new Event('appinstalled')));
    await expect.poll(() => button.count()).toBe(0);
    await offerInstall(page, 'accepted');
    await button.click();
    await expect.poll(() => page.getByRole('button', { name: /^Install/ }).count()).toBe(0);
  });

  it('works with a manifest that has icons, maskable ones, screenshots, shortcuts and a share target', {
    tags: ['screens.offline.2'],
  }, async () => {
    const page = await us.open();
    await page.goto('/dashboard');
    const devtools = await page.context().newCDPSession(page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // A test's window is like a private window, in which nothing can be installed.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
    const manifest = JSON.parse(data ?? '') as {
      icons: { src: string; sizes: string; purpose: string }[];
      screenshots: { src: string; sizes: string; form_factor: string }[];
      shortcuts: { name: string; url: string }[];
    };
    expect(new Set(manifest.icons.map(({ purpose }) => purpose))).toEqual(new Set(['any', 'maskable']));
    expect(new Set(manifest.screenshots.map((one) => one.form_factor))).toEqual(new Set(['narrow', 'wide']));
    for (const { src, sizes } of [...manifest.icons, ...manifest.screenshots]) {
      const size = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      expect(size).toBe(sizes);
    }
    for (const { url } of manifest.shortcuts) {
      await page.goto(url);
      await page.locator('main h1').waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toBe(url);
    }
  });
});

describe('the service worker', () => {
  const us = useCouple();

  it('is registered after 30 seconds if the app never becomes stable', { tags: ['screens.offline.3'] }, async () => {
    const page = await us.open({ serviceWorkers: 'allow' });
    const registered = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
    await page.clock.install();
    // One call never gets a reply, and the code that registers the worker loads only after that call.
    const firstCall = page.waitForRequest('**/api/DateIdeas');
    await page.route('**/api/DateIdeas', () => new Promise(() => undefined));
    await page.route(/\/later-/, async (route) => {
      await firstCall;
      await route.continue();
    });
    await page.goto('/date-ideas');
    // From the same code.
    await page.locator('[data-ui=connection]').waitFor({ state: 'attached' });
    const begun = await page.evaluate(() => Date.now() - performance.now());
    await letReactRender(page);
    await page.clock.pauseAt(begun + 29_500);
    expect(await registered()).toBe(0);
    await letReactRender(page);
    await page.clock.runFor(1_000);
    await expect.poll(registered).toBe(1);
  });
});

describe('a new version', () => {
  const chromium = useChromium();

  it('is offered, waits while a form is being filled in, and is loaded on request', {
    tags: ['screens.offline.4'],
  }, async () => {
    // A copy of the built page that the test can change while the server runs.
    const folder = await mkdtemp(join(tmpdir(), 'our-love-story-version-'));
    await cp(BUILT_PAGE, folder, { recursive: true });
    const storage = await createTestStorage(sqliteAndDisk);
    const app = await createApp(
      readConfig({ REGISTRATION: 'open', LOG_LEVEL: 'silent', PORT: '0', ...storage.env }, folder),
    );
    try {
      const { ada } = await registerCouple({ url: await app.listen() });
      const page = await openAs(chromium, ada, { serviceWorkers: 'allow' });
      await page.goto('/date-ideas/add');
      await untilControlled(page);
      await page.getByLabel('Title').fill('Half a thought');

      await publish(folder);
      await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
      await page.waitForFunction(async () => (await navigator.serviceWorker.ready).waiting !== null);
      const offer = page.getByRole('status').getByText('A new version of our app is ready.');
      // Without the form, the notice would appear within two frames.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      expect(await offer.count()).toBe(0);
      expect(await page.getByLabel('Title').inputValue()).toBe('Half a thought');

      await page.getByRole('button', { name: 'Save Idea' }).click();
      await page.getByText('1 idea found').waitFor();
      await offer.waitFor();
      expect(await page.evaluate(() => document.activeElement?.textContent)).not.toContain('Reload');
      await page.evaluate(() => Object.assign(window, { old: true }));
      await page.getByRole('button', { name: 'Reload' }).click();
      await page.waitForFunction(() => !('old' in window));
      await page.getByText('1 idea found').waitFor();
      await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting)).toBeNull();
    } finally {
      await app.close();
      await storage.remove();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** Replaces the worker that the server serves with a newer one. */
async function publish(folder: string): Promise<void> {
  const path = join(folder, 'service-worker.js');
  const text = await readFile(path, 'utf8');
  await writeFile(path, `${text}\n// newer`);
  await rm(`${path}.br`);
}
