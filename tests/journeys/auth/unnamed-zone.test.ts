import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/use-app.ts';

/** A device whose browser names no time zone: it works in UTC. */
describe('a browser that cannot name its time zone', () => {
  const us = useApp({ env: { REGISTRATION: 'open' } });

  /** Chromium says 'Etc/Unknown' for a zone that it does not know. Others say an offset, which it never does. */
  const says = (page: Page, zone: string) =>
    page.addInitScript((timeZone) => {
      const real = Intl.DateTimeFormat.prototype.resolvedOptions;
      Intl.DateTimeFormat.prototype.resolvedOptions = function (this: Intl.DateTimeFormat) {
        const options = real.call(this);
        return options.timeZone === 'Etc/Unknown' ? { ...options, timeZone } : options;
      };
    }, zone);

  it.each(['Etc/Unknown', '+02:00'])(
    "registers and shows every screen in UTC, and the settings say so: '%s'",
    { tags: ['accounts.registering.5'] },
    async (zone) => {
      const page = await us.openSignedOut({ timezoneId: 'Etc/Unknown' });
      await says(page, zone);
      await page.goto('/auth/register');
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('Email').fill(`ada${zone.length}@example.org`);
      await page.getByLabel('Password').fill('a short sentence');
      await page.getByRole('button', { name: 'Create our space' }).click();
      await page.waitForURL('**/dashboard');
      const paths = ['/dashboard', '/date-ideas', '/planned-dates', '/memories', '/memories/upload'];
      for (const path of [...paths, '/stats', '/settings']) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await expect.poll(() => page.locator('main[aria-busy=true]').count()).toBe(0);
        expect(await page.getByText('Oops!').count(), path).toBe(0);
      }
      const field = page.getByLabel('Time zone');
      expect(await field.inputValue()).toBe('UTC');
      await page.getByText('This device names no time zone, so it shows times in UTC.').waitFor();
    },
  );
});
