import { describe, expect, it } from 'vitest';
import { THEME_COLORS } from '../../../src/app/web/start/theme-colors.ts';
import { useCouple } from '../../support/use-app.ts';

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
});
