import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findIssuesAtEverySize } from '../../support/accessibility.ts';
import { DESKTOP, tabTo } from '../../support/browser.ts';
import { addIdea, completeDate, planDate, startDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

const LONG = 'The slow Sunday we keep promising each other: '.repeat(4).trim();
const DAY = 86_400_000;

/** Every screen of ideas and dates conforms to WCAG 2.2 AA and doesn't scroll horizontally. */
describe('the screens of ideas and dates', () => {
  const us = useCouple();
  const paths: Record<string, string> = {};
  beforeAll(async () => {
    const long = { title: LONG, description: 'Donaudampfschifffahrt'.repeat(9), category: 'Outdoor' as const };
    const idea = await addIdea(us.ada, long);
    await addIdea(us.ada, { title: 'Resting', isActive: false });
    const planned = await planDate(us.ada, { idea: idea.id, at: Date.now() + 3 * DAY, location: LONG, notes: LONG });
    await planDate(us.ada, { idea: idea.id, at: Date.now() - 3 * DAY });
    const running = await startDate(us.ada, { idea: idea.id, at: Date.now() });
    const over = await completeDate(us.ada, { idea: idea.id, at: Date.now() - 9 * DAY, minutes: 80 });
    Object.assign(paths, {
      ideas: '/date-ideas?inactive=true',
      'no ideas': '/date-ideas?search=submarine',
      add: '/date-ideas/add',
      'edit an idea': `/date-ideas/${idea.id}/edit`,
      plan: `/date-ideas/${idea.id}/plan`,
      dates: '/planned-dates',
      'no dates': '/planned-dates?filter=cancelled',
      details: `/planned-dates/${planned.id}`,
      'a completed date': `/planned-dates/${over.id}`,
      'edit a date': `/planned-dates/${planned.id}/edit`,
      'a refused edit': `/planned-dates/${over.id}/edit`,
      complete: `/planned-dates/${running.id}/complete`,
      'not found': '/planned-dates/unknown',
    });
  });

  it('are accessible on a phone, a tablet and a desktop', { tags: ['screens.controls.3'] }, async () => {
    const page = await us.open();
    const found: string[] = [];
    for (const [what, path] of Object.entries(paths)) {
      await page.goto(path);
      await page.locator('main h1').waitFor();
      await page.locator('main[aria-busy]').waitFor({ state: 'detached' });
      found.push(...(await findIssuesAtEverySize(page, what)));
    }
    // A form with errors, and a dialog over it.
    await page.goto('/date-ideas/add');
    await page.getByLabel('Title', { exact: true }).fill('x'.repeat(300));
    await page.getByLabel('Description').fill('y'.repeat(1001));
    await page.getByText('Title cannot exceed 200 characters').waitFor();
    found.push(...(await findIssuesAtEverySize(page, 'errors')));
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('alertdialog').waitFor();
    found.push(...(await findIssuesAtEverySize(page, 'question')));
    expect(found).toEqual([]);
  });

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
    const date = await planDate(us.ada, { idea: { title: 'Fireworks' }, at: Date.now() + 3_600_000 });
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
