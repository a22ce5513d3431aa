import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addIdea, startDate } from '../../support/factories.ts';
import { keepNotices } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { DESKTOP } from '../../support/use-chromium.ts';
import { keptWords } from '../stored-rows.ts';

const QUESTION = 'You have unsaved changes. Are you sure you want to leave?';
const IDEAS = { level: 1, name: 'Date Ideas' } as const;

describe('a form', () => {
  const us = useCouple();

  const pathOfForm = async () => {
    const { id } = await startDate(us.ada, { idea: { title: 'A fort' }, at: Date.now() });
    return `/planned-dates/${id}/complete`;
  };

  it('asks when its window is closed or reloaded after something was typed, and not at a reload before', {
    tags: ['screens.forms.1'],
  }, async () => {
    const path = await pathOfForm();
    const page = await us.open();
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type());
      void dialog.dismiss();
    });
    await page.goto(path);
    const box = page.getByLabel('Notes', { exact: true });
    await box.waitFor();
    await page.reload();
    await box.waitFor();
    expect(dialogs).toEqual([]);
    await box.fill('Half a thought');
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => dialogs).toEqual(['beforeunload']);
    expect(await box.inputValue()).toBe('Half a thought');
    // The reload is cancelled, so the test can only wait for the question.
    await page.evaluate(() => location.reload());
    await expect.poll(() => dialogs).toEqual(['beforeunload', 'beforeunload']);
    expect(await box.inputValue()).toBe('Half a thought');
    // So that the page closes at the end of the test without a question.
    await box.fill('');
  });

  it('asks when it is left by a link or back', { tags: ['screens.forms.1'] }, async () => {
    const path = await pathOfForm();
    const page = await us.openAs(us.ben, DESKTOP);
    await page.goto('/date-ideas');
    await page.getByRole('heading', IDEAS).waitFor();
    await page.evaluate((to) => history.pushState(null, '', to), path);
    await page.getByLabel('Notes').fill('We should');
    const dialog = page.getByRole('alertdialog', { name: QUESTION });
    await page.getByRole('navigation').getByRole('link', { name: 'Memories' }).click();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await page.evaluate(() => history.back());
    await dialog.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('Notes').inputValue()).toBe('We should');
    await page.evaluate(() => history.back());
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/date-ideas');
  });
});

/**
 * Without it, the app can't cancel a step back: a form with unsaved changes adds a history entry
 * (`guard-history-entry.ts`).
 */
describe('in a browser without the Navigation API', () => {
  const us = useCouple();

  /** Opens the list of ideas, and from there the form to add one. */
  async function openForm(): Promise<Page> {
    const page = await us.open(DESKTOP);
    await keepNotices(page);
    await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
    await page.goto('/date-ideas');
    await page.getByRole('heading', IDEAS).waitFor();
    expect(await page.evaluate(() => 'navigation' in window)).toBe(false);
    await page.evaluate(() => history.pushState(null, '', '/date-ideas/add'));
    await page.getByLabel('Title', { exact: true }).waitFor();
    return page;
  }
  const back = (page: Page) => page.evaluate(() => history.back());
  const title = (page: Page) => page.getByLabel('Title', { exact: true });
  const dialogOf = (page: Page) => page.getByRole('alertdialog', { name: QUESTION });

  it('a form asks each time when it is left by back, and keeps its text', { tags: ['screens.forms.2'] }, async () => {
    const page = await openForm();
    await title(page).fill('Half a thought');
    for (let time = 0; time < 3; time += 1) {
      await back(page);
      await dialogOf(page).getByRole('button', { name: 'Stay' }).click();
      await dialogOf(page).waitFor({ state: 'detached' });
      expect(await title(page).inputValue()).toBe('Half a thought');
    }
    // Pressed again while it asks: the question stays, and nothing is lost.
    await back(page);
    await dialogOf(page).waitFor();
    await back(page);
    await dialogOf(page).getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', IDEAS).waitFor();
    expect(new URL(page.url()).pathname).toBe('/date-ideas');
    // What the user chose to lose is not restored.
    await page.evaluate(() => history.forward());
    await expect.poll(() => title(page).inputValue()).toBe('');
    await expect.poll(() => keptWords(page)).toEqual([]);
  });

  it('a form that was saved or left by a link needs one press of back, not two', {
    tags: ['screens.forms.2'],
  }, async () => {
    const page = await openForm();
    await title(page).fill('A kite');
    await page.getByRole('button', { name: 'Save Idea' }).click();
    await page.getByRole('heading', IDEAS).waitFor();
    await back(page);
    await title(page).waitFor();
    expect(await title(page).inputValue()).toBe('');
    await back(page);
    await page.getByRole('heading', IDEAS).waitFor();

    await page.evaluate(() => history.pushState(null, '', '/date-ideas/add'));
    await title(page).fill('Another kite');
    await page.getByRole('navigation').getByRole('link', { name: 'Memories' }).click();
    await dialogOf(page).getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Our Memories' }).waitFor();
    await back(page);
    await title(page).waitFor();
    await back(page);
    await page.getByRole('heading', IDEAS).waitFor();
  });

  it('a form whose text was taken back is left at once by one press of back', {
    tags: ['screens.forms.2'],
  }, async () => {
    const page = await openForm();
    await title(page).fill('A mistake');
    await title(page).fill('');
    await back(page);
    await page.getByRole('heading', IDEAS).waitFor();
    expect(new URL(page.url()).pathname).toBe('/date-ideas');
  });

  it('a restored form asks again, at one press of back', {
    tags: ['screens.forms.10', 'screens.forms.2'],
  }, async () => {
    const page = await openForm();
    page.on('dialog', (dialog) => void dialog.accept());
    await title(page).fill('Half a thought');
    await expect.poll(() => keptWords(page)).toHaveLength(1);
    await page.reload();
    await page.getByText('We restored what you had written.').waitFor();
    await expect.poll(() => title(page).inputValue()).toBe('Half a thought');
    await back(page);
    await dialogOf(page).getByRole('button', { name: 'Stay' }).click();
    expect(await title(page).inputValue()).toBe('Half a thought');
    await back(page);
    await dialogOf(page).getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', IDEAS).waitFor();
    expect(new URL(page.url()).pathname).toBe('/date-ideas');
  });

  it("a form left by a jump in the history, which can't ask, is kept as a draft", {
    tags: ['screens.forms.2'],
  }, async () => {
    const page = await openForm();
    await title(page).fill('Half a thought');
    await page.evaluate(() => history.go(-2));
    await page.getByRole('heading', IDEAS).waitFor();
    await page.evaluate(() => history.forward());
    await page.getByText('We restored what you had written.').waitFor();
    await expect.poll(() => title(page).inputValue()).toBe('Half a thought');
  });

  it("Cancel on the plan form goes back in the app's history, after asking", {
    tags: ['screens.forms.2'],
  }, async () => {
    const { id } = await addIdea(us.ada);
    const page = await us.open(DESKTOP);
    await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
    const cancel = page.getByRole('button', { name: 'Cancel' });
    // Opened directly, it has no history to go back to.
    await page.goto(`/date-ideas/${id}/plan`);
    await cancel.click();
    await page.waitForURL('**/date-ideas');
    await page.goto('/planned-dates');
    await page.getByRole('heading', { level: 1, name: 'Our Dates' }).waitFor();
    await page.evaluate((path) => history.pushState(null, '', path), `/date-ideas/${id}/plan`);
    await page.getByLabel('Location').fill('The pier');
    await cancel.click();
    await dialogOf(page).getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/planned-dates');
  });
});
