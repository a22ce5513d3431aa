import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/use-app.ts';

/** A device whose browser names no time zone: it works in UTC. */
describe('a browser that cannot name its time zone', () => {
  const us = useApp({ env: { REGISTRATION: 'open' } });

  it('registers and shows every screen in UTC, and the settings say so', {
    tags: ['accounts.registering.5'],
  }, async () => {
    const page = await us.openSignedOut({ timezoneId: 'Etc/Unknown' });
    await page.goto('/auth/register');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Email').fill('ada@example.org');
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
    await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('UTC');
    await page.getByText('This device names no time zone, so it shows times in UTC.').waitFor();
  });
});
