import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addIdea } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';
import { DESKTOP } from '../../support/use-chromium.ts';
import { keptWords } from '../stored-rows.ts';

const RESTORED = 'We restored what you had written.';

const description = (page: Page) => page.getByLabel('Description');
const title = (page: Page) => page.getByLabel('Title', { exact: true });
const drafts = (page: Page) => keptWords(page, '/');

describe('the draft of a form', () => {
  const us = useCouple();

  it('that was restored twice is still an edit of the version that it began on', {
    tags: ['dates.edit.5'],
  }, async () => {
    const { id, category } = await addIdea(us.ada, { title: 'A hill', description: 'With a view' });
    const page = await us.open(DESKTOP);
    page.on('dialog', (dialog) => void dialog.accept());
    const isKept = async (words: string) => {
      await expect.poll(() => drafts(page)).toMatchObject([{ values: { description: words } }]);
    };
    await page.goto(`/date-ideas/${id}/edit`);
    await description(page).fill('With a bench');
    await isKept('With a bench');
    const body = { title: 'A hill', description: 'With a tower', category, isActive: true };
    await us.ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body });
    for (let time = 0; time < 2; time += 1) {
      await page.reload();
      await page.getByText(RESTORED).waitFor();
      await expect.poll(() => description(page).inputValue()).toBe('With a bench');
    }
    await page.getByRole('button', { name: 'Save Changes' }).click();
    const theirs = page.getByRole('region', { name: 'Their version' });
    await theirs.getByText('With a tower').waitFor();
    await theirs.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => description(page).inputValue()).toBe('With a tower');
    // From now on it is an edit of their version, in a draft too.
    await description(page).fill('With a tower and a bench');
    await isKept('With a tower and a bench');
    await page.reload();
    await page.getByText(RESTORED).waitFor();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.waitForURL('**/date-ideas?updated=true');
    const { body: saved } = await us.ada.call('GET /api/DateIdeas/{id}', { params: { id } });
    expect(saved.description).toBe('With a tower and a bench');
    await expect.poll(() => drafts(page)).toEqual([]);
  });

  it('of another form stays when a form is left untouched', { tags: ['screens.forms.3'] }, async () => {
    const page = await us.open(DESKTOP);
    await page.goto('/date-ideas');
    await page.getByRole('heading', { level: 1, name: 'Date Ideas' }).waitFor();
    const { id } = await addIdea(us.ada, { title: 'A pond', description: 'Green' });
    await page.evaluate((to) => history.pushState(null, '', to), `/date-ideas/${id}/edit`);
    await description(page).fill('Green and still');
    // A step in the history leaves it unasked.
    await page.evaluate(() => history.back());
    await expect.poll(() => drafts(page)).toHaveLength(1);
    await page.evaluate(() => history.pushState(null, '', '/date-ideas/add'));
    await title(page).waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL('**/date-ideas');
    await page.evaluate((to) => history.pushState(null, '', to), `/date-ideas/${id}/edit`);
    await page.getByText(RESTORED).waitFor();
    await expect.poll(() => description(page).inputValue()).toBe('Green and still');
  });

  it('is in two windows what was typed last', { tags: ['screens.forms.3'] }, async () => {
    const first = await us.open(DESKTOP);
    await first.goto('/date-ideas/add');
    await title(first).fill('One');
    await expect.poll(() => drafts(first)).toHaveLength(1);
    const second = await first.context().newPage();
    await second.goto('/date-ideas/add');
    await second.getByText(RESTORED).waitFor();
    await title(second).fill('Two');
    await expect.poll(() => drafts(first)).toMatchObject([{ values: { title: 'Two' } }]);
    expect(await title(first).inputValue()).toBe('One');
    await title(first).fill('Three');
    await expect.poll(() => drafts(first)).toMatchObject([{ values: { title: 'Three' } }]);
  });
});

describe('a form that was not left after all', () => {
  const us = useCouple();

  it('still asks and keeps its draft', { tags: ['screens.forms.5'] }, async () => {
    const page = await us.open(DESKTOP);
    await page.goto('/date-ideas');
    const addIdea = page.getByRole('link', { name: 'Add New Idea' }).first();
    await addIdea.click();
    await title(page).fill('A whole thought');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Save Idea' }).click();
    await page.getByRole('region', { name: 'Waiting to be sent' }).waitFor();
    await addIdea.click();
    await title(page).fill('Half a thought');
    const question = page.getByRole('alertdialog', {
      name: 'You have unsaved changes. Are you sure you want to leave?',
    });
    await page.getByRole('button', { name: 'Ada' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    const unsent = page.getByRole('alertdialog', { name: /What we added while offline has not been sent yet/ });
    await unsent.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Memories' }).click();
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(await title(page).inputValue()).toBe('Half a thought');
    await expect.poll(() => drafts(page)).toHaveLength(1);
    await page.context().setOffline(false);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText(RESTORED).waitFor();
    await expect.poll(() => title(page).inputValue()).toBe('Half a thought');
  });
});
