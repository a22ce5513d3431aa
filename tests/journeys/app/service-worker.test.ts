import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
