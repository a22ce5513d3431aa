import { describe, expect, it } from 'vitest';
import { THEME_COLORS } from '../../../src/app/web/start/theme-colors.ts';
import { MINUTE } from '../../../src/base/durations.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useCouple } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';

/** `/settings`: appearance, devices. The other parts are tested as components. */
describe('the settings', () => {
  const us = useCouple();

  it('change and remember the color scheme of the device', {
    tags: ['accounts.settings.4', 'accounts.settings.5'],
  }, async () => {
    const page = await us.open({ colorScheme: 'light' });
    await page.goto('/settings');
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    /** The color of the phone's bars: of the first of these elements that applies. */
    const bars = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')].find(
            ({ media }) => matchMedia(media).matches,
          )?.content,
      );
    await expect.poll(bars).toBe(THEME_COLORS.light);
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await expect.poll(paper).toBe('dark');
    await expect.poll(bars).toBe(THEME_COLORS.dark);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(paper).toBe('dark');
    await expect.poll(bars).toBe(THEME_COLORS.dark);
    await expect.poll(() => page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'As the device' }).check({ force: true });
    await expect.poll(paper).toBe('light dark');
    await expect.poll(bars).toBe(THEME_COLORS.light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(bars).toBe(THEME_COLORS.dark);
    await page.getByRole('radio', { name: 'Light' }).check({ force: true });
    await expect.poll(paper).toBe('light');
    await expect.poll(bars).toBe(THEME_COLORS.light);
  });

  it("list the user's devices with this one first, sign out others, and fold a long list", {
    tags: ['accounts.settings.4', 'screens.words.7'],
  }, async () => {
    const { ada } = await registerCouple(us.app);
    for (let device = 0; device < 7; device += 1) {
      await fetch(`${us.app.url}/api/auth/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36',
        },
        body: JSON.stringify({ email: ada.email, password: ada.password }),
      });
    }
    const page = await us.openAs(ada, PHONE);
    // A device whose clock is behind the server's.
    await page.clock.setFixedTime(Date.now() - MINUTE);
    await page.goto('/settings');
    const devices = page.getByRole('region', { name: 'Devices' });
    const lines = devices.getByRole('listitem');
    await lines.first().getByText('This device', { exact: true }).waitFor();
    await expect.poll(() => lines.count()).toBe(5);
    await lines.getByText('last used 0 seconds ago').first().waitFor();
    await devices.getByRole('button', { name: 'Show 3 more devices' }).click();
    await expect.poll(() => lines.count()).toBe(8);
    await expect.poll(() => devices.getByRole('button', { name: 'Sign out' }).count()).toBe(7);
    await devices.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('status').getByText('Signed out on Chrome on Android').waitFor();
    await expect.poll(() => lines.count()).toBe(7);
    expect((await ada.call('GET /api/auth/sessions')).body).toHaveLength(7);
  });
});
