import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/base/durations.ts';
import { letReactRender } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';

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
      await page.clock.pauseAt(new Date(Date.now() + (hours + 1) * HOUR));
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
