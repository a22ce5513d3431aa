import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/base/durations.ts';
import { planDate } from '../../support/factories.ts';
import { tabTo } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { DESKTOP } from '../../support/use-chromium.ts';

/** Ideas and dates can be used with the keyboard only. */
describe('the screens of ideas and dates', () => {
  const us = useCouple();

  it('plan a date from an idea with the keyboard only', { tags: ['screens.controls.3'] }, async () => {
    const page = await us.openAs(us.ben, DESKTOP);
    await page.goto('/date-ideas');
    await tabToNamed(page, 'Add New Idea', /link/);
    await page.keyboard.press('Enter');
    await tabToNamed(page, 'Title', /textbox/);
    await page.keyboard.type('Kites on the first windy day');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Kites on the first windy day' }).waitFor();
    const card = page.getByRole('article').filter({ hasText: 'Kites' });
    await tabToNamed(page, 'Plan This Date', /link/, card);
    await page.keyboard.press('Enter');
    await tabToNamed(page, 'Today Evening', /button/);
    await page.keyboard.press('Space');
    await tabToNamed(page, 'Plan This Date', /button/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/planned-dates\/[0-9a-f-]{36}$/);
    await tabToNamed(page, 'Delete', /button/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    // The safe button has the focus, and Escape returns it.
    const keep = dialog.getByRole('button', { name: 'Keep' });
    await expect.poll(() => keep.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    const back = page.getByRole('button', { name: 'Delete' });
    await expect.poll(() => back.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('start and complete a date with the keyboard only', { tags: ['screens.controls.3'] }, async () => {
    const date = await planDate(us.ada, { idea: { title: 'Fireworks' }, at: Date.now() + HOUR });
    const page = await us.open(DESKTOP);
    const press = async (name: string, key: string) => {
      await tabToNamed(page, name, /button|link/);
      await page.keyboard.press(key);
    };
    await page.goto(`/planned-dates/${date.id}`);
    await press('Start Date', 'Enter');
    await page.getByText('In Progress').waitFor();
    await press('Complete', 'Enter');
    await page.waitForURL('**/complete');
    await press('Now', 'Space');
    await tabToNamed(page, 'Notes', /textbox/);
    await page.keyboard.type('Golden rain.');
    await press('Complete Date', 'Enter');
    await page.waitForURL((url) => url.pathname === `/planned-dates/${date.id}`);
    await page.getByText('Golden rain.').waitFor();
    await page.getByRole('main').getByText('Completed', { exact: true }).first().waitFor();
  });
});

/** Presses Tab until an element with this name and one of these roles has the focus. */
async function tabToNamed(page: Page, name: string, roles: RegExp, within: Page | Locator = page): Promise<void> {
  const aims = (['link', 'button', 'textbox'] as const).filter((role) => roles.test(role));
  const [first, ...others] = aims.map((role) => within.getByRole(role, { name, exact: true }).first());
  if (!first) throw new Error('No such role');
  const aim = others.reduce((all, one) => all.or(one), first).first();
  await tabTo(aim);
}
