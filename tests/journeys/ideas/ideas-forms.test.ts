import { describe, expect, it } from 'vitest';
import { SUGGESTIONS } from '../../../src/ideas/suggestions.ts';
import { type Answer, answerOnce } from '../../support/answer-once.ts';
import { DESKTOP, keepNotices, PHONE } from '../../support/browser.ts';
import { registerCouple } from '../../support/client.ts';
import { addIdea } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';
import { keptWords } from '../stored-rows.ts';

const UNSAVED = 'You have unsaved changes. Are you sure you want to leave?';

/** Adding and editing an idea. */
describe('the idea forms', () => {
  const us = useCouple();

  it('adds an idea, validated as it is typed', {
    tags: ['ideas.form.1', 'ideas.form.2', 'ideas.form.4', 'ideas.form.5', 'ideas.form.8'],
  }, async () => {
    const page = await us.open(PHONE);
    await keepNotices(page);
    await page.goto('/date-ideas/add');
    const title = page.getByLabel('Title', { exact: true });
    const save = page.getByRole('button', { name: 'Save Idea' });
    await title.waitFor();
    await page.getByRole('heading', { name: 'Need some inspiration?' }).waitFor();
    await expect.poll(() => page.getByLabel('Category').inputValue()).toBe('Romantic');
    expect(await page.getByLabel('This date idea is active and available for planning').isChecked()).toBe(true);
    await expect.poll(() => save.isDisabled()).toBe(true);
    expect(await page.getByText('Title is required').count()).toBe(0);
    // Enter marks the missing fields, although the button is disabled.
    await page.getByLabel('This date idea is active').focus();
    await title.press('Enter');
    await page.getByText('Title is required').waitFor();

    await title.fill('ab');
    await page.getByText('Title must be at least 3 characters').waitFor();
    await page.getByText('2 / 200').waitFor();
    // The family emoji counts as several code points, like on the server.
    await title.fill('👨‍👩‍👧'.repeat(40));
    await page.getByText('200 / 200').waitFor();
    await expect.poll(() => save.isDisabled()).toBe(false);
    await title.fill(`${'👨‍👩‍👧'.repeat(40)}!`);
    await page.getByText('Title cannot exceed 200 characters').waitFor();
    await title.fill('A picnic\nby the river');
    await expect.poll(() => title.inputValue()).toBe('A picnic by the river');
    await page.getByLabel('Description').fill('x'.repeat(1001));
    await page.getByText('Description cannot exceed 1000 characters').waitFor();
    await page.getByText('1001 / 1000').waitFor();
    await expect.poll(() => save.isDisabled()).toBe(true);
    await page.getByLabel('Description').fill('  With the good cloth.  ');
    await page.getByLabel('Category').selectOption('Outdoor');
    await save.click();
    await page.waitForURL('**/date-ideas');
    await page.getByRole('status').getByText('Our idea is saved.').waitFor();
    const { body } = await us.ada.call('GET /api/DateIdeas/active');
    expect(body).toMatchObject([
      { title: 'A picnic by the river', description: 'With the good cloth.', category: 'Outdoor', isActive: true },
    ]);
  });

  it('suggests titles, never the same twice in a row, and can restore the typed one', {
    tags: ['ideas.form.6', 'ideas.form.7'],
  }, async () => {
    const page = await us.open(DESKTOP);
    await keepNotices(page);
    await page.goto('/date-ideas/add');
    const title = page.getByLabel('Title', { exact: true });
    await title.fill('Something of ours');
    const surprise = page.getByRole('button', { name: 'Surprise me' });
    await surprise.click();
    await expect.poll(() => title.inputValue()).not.toBe('Something of ours');
    let before = await title.inputValue();
    expect(SUGGESTIONS).toContain(before);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => title.inputValue()).toBe('Something of ours');
    for (let press = 0; press < 8; press += 1) {
      await surprise.click();
      await expect.poll(() => title.inputValue()).not.toBe(before);
      const next = await title.inputValue();
      expect(SUGGESTIONS).toContain(next);
      before = next;
    }
    await page.getByRole('button', { name: 'Clear' }).click();
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to clear all fields?' });
    await question.getByRole('button', { name: 'Keep' }).click();
    expect(await title.inputValue()).toBe(before);
    await page.getByLabel('Category').selectOption('Food');
    await page.getByLabel('This date idea is active').uncheck({ force: true });
    await page.getByRole('button', { name: 'Clear' }).click();
    await question.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => title.inputValue()).toBe('');
    await expect.poll(() => page.getByLabel('Category').inputValue()).toBe('Romantic');
    await expect.poll(() => page.getByLabel('This date idea is active').isChecked()).toBe(true);
  });

  it('asks before typed text is lost by a link, Cancel or back', { tags: ['screens.forms.1'] }, async () => {
    const page = await us.open(DESKTOP);
    await page.goto('/date-ideas');
    await page.getByRole('link', { name: 'Add New Idea' }).click();
    const title = page.getByLabel('Title', { exact: true });
    await title.fill('Half a thought');
    const question = page.getByRole('alertdialog', { name: UNSAVED });
    await page.getByRole('navigation').getByRole('link', { name: 'Our Dates' }).click();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Stay' }).click();
    // Going back is cancelled, so the test can only wait for the question.
    await page.evaluate(() => history.back());
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(await title.inputValue()).toBe('Half a thought');
    // With the original value again, nothing can be lost.
    await title.fill('');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL('**/date-ideas');
    await page.getByRole('link', { name: 'Add New Idea' }).click();
    await title.fill('Another thought');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/date-ideas');
  });

  it('keeps what was typed after a failure, and saves once for repeated submits', {
    tags: ['ideas.form.9', 'ideas.form.10'],
  }, async () => {
    const newCouple = await registerCouple(us.app);
    const page = await us.openAs(newCouple.ada, PHONE);
    await page.route('**/api/DateIdeas/categories', (route) => route.fulfill({ status: 503 }));
    await page.goto('/date-ideas/add');
    const categories = page.getByRole('alert').filter({ hasText: 'Failed to load categories. Using default options.' });
    await categories.getByRole('button', { name: 'Dismiss' }).click();
    await categories.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Category').locator('option').count()).toBe(8);

    await page.getByLabel('Title', { exact: true }).fill('The night train');
    await page.getByLabel('Description').fill('Whatever leaves after nine.');
    const save = page.getByRole('button', { name: 'Save Idea' });
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to create date idea. Please try again.' });
    const failsBy = async (answer: Answer) => {
      await answerOnce(page, 'POST /api/DateIdeas', answer);
      await save.click();
      await failure.getByRole('button', { name: 'Dismiss' }).click();
      await failure.waitFor({ state: 'detached' });
      expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('The night train');
      expect(await page.getByLabel('Description').inputValue()).toBe('Whatever leaves after nine.');
    };
    await failsBy({ status: 500 });
    await failsBy('cut');
    await failsBy('lost');
    await save.click();
    await page.waitForURL('**/date-ideas');
    expect((await newCouple.ada.call('GET /api/DateIdeas')).body).toHaveLength(1);
  });

  it('keeps what was typed when the session ends, until after signing in again', {
    tags: ['screens.forms.7'],
  }, async () => {
    const page = await us.openAs(us.ben, DESKTOP);
    await page.goto('/date-ideas/add');
    await page.getByLabel('Title', { exact: true }).fill('A hill at sunrise');
    await page.getByLabel('Category').selectOption('Outdoor');
    await answerOnce(page, 'POST /api/DateIdeas', { status: 401 });
    // The session's cookie is gone too.
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save Idea' }).click();
    await page.waitForURL(/\/auth\/login\?returnUrl=%2Fdate-ideas%2Fadd/);
    await page.getByLabel('Email').fill(us.ben.email);
    await page.getByLabel('Password', { exact: true }).fill(us.ben.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/date-ideas/add');
    await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('A hill at sunrise');
    await expect.poll(() => page.getByLabel('Category').inputValue()).toBe('Outdoor');
    await page.getByRole('button', { name: 'Save Idea' }).click();
    await page.waitForURL('**/date-ideas');
    await page.getByRole('heading', { name: 'A hill at sunrise' }).waitFor();
    await expect.poll(() => keptWords(page)).toEqual([]);
  });

  it('edits an idea, with its own messages', {
    tags: ['ideas.list.12', 'ideas.form.2', 'ideas.form.4', 'ideas.form.11', 'ideas.form.13'],
  }, async () => {
    const idea = await addIdea(us.ada, { title: 'Go', description: 'Somewhere', category: 'Active' });
    const page = await us.open(PHONE);
    await keepNotices(page);
    await page.goto(`/date-ideas/${idea.id}/edit`);
    const title = page.getByLabel('Title', { exact: true });
    const save = page.getByRole('button', { name: 'Save Changes' });
    await title.waitFor();
    await expect.poll(() => title.inputValue()).toBe('Go');
    await page.getByText('2/200').waitFor();
    await page.getByText('Inactive ideas will not appear when browsing date ideas.').waitFor();
    await title.fill('x'.repeat(201));
    await page.getByText('Title must be 200 characters or less').waitFor();
    await title.fill('');
    await page.getByText('Title is required').waitFor();
    await page.getByLabel('Description').fill('y'.repeat(1001));
    await page.getByText('Description must be 1000 characters or less').waitFor();
    await expect.poll(() => save.isDisabled()).toBe(true);
    await page.getByLabel('Description').fill('');
    await title.fill('Go far');

    await answerOnce(page, `PUT /api/DateIdeas/${idea.id}`, 'cut');
    await save.click();
    await page.getByRole('alert').getByText('Failed to update date idea. Please try again.').waitFor();
    const refusal = { status: 503, json: { message: 'The album is being bound.' } };
    await answerOnce(page, `PUT /api/DateIdeas/${idea.id}`, refusal);
    await save.click();
    await page.getByRole('alert').getByText('The album is being bound.').waitFor();
    expect(await title.inputValue()).toBe('Go far');
    await save.click();
    await page.waitForURL(/\/date-ideas(\?updated=true)?$/);
    await page.getByRole('status').getByText('Our idea is updated.').waitFor();
    const { body } = await us.ada.call('GET /api/DateIdeas/{id}', { params: { id: idea.id } });
    expect(body).toMatchObject({ title: 'Go far', description: null, category: 'Active' });
  });

  it('says why an idea cannot be edited', { tags: ['ideas.form.11', 'ideas.form.12'] }, async () => {
    const idea = await addIdea(us.ada);
    const page = await us.open(DESKTOP);
    await page.goto('/date-ideas/unknown/edit');
    await page.getByRole('alert').getByText('Date idea not found').waitFor();
    await page.getByRole('link', { name: 'Go Back' }).click();
    await page.waitForURL('**/date-ideas');
    await page.goto('/date-ideas/%20/edit');
    await page.getByText('No date idea ID provided').waitFor();
    const fail = (answer: Answer) => answerOnce(page, `GET /api/DateIdeas/${idea.id}`, answer);
    await fail({ status: 500 });
    await page.goto(`/date-ideas/${idea.id}/edit`);
    await page.getByText('Failed to load date idea details').waitFor();
    await fail({ status: 500, json: { message: 'Out of paper.' } });
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText('Out of paper.').waitFor();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByLabel('Title', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL('**/date-ideas');
  });

  it('shows both versions of a stale edit and asks which to keep', { tags: ['ideas.form.14'] }, async () => {
    const idea = await addIdea(us.ada, { title: 'Ours', description: 'Together' });
    const page = await us.open(DESKTOP);
    const path = `/date-ideas/${idea.id}/edit`;
    const title = page.getByLabel('Title', { exact: true });
    const save = page.getByRole('button', { name: 'Save Changes' });
    const theirs = page.getByRole('region', { name: 'Their version' });
    const benWrites = (to: string) =>
      us.ben.call('PUT /api/DateIdeas/{id}', {
        params: { id: idea.id },
        body: { title: to, description: 'Together', category: 'Food' },
      });
    await page.goto(path);
    await title.fill('Mine');
    await benWrites('His');
    await save.click();
    await theirs.getByText('His', { exact: true }).waitFor();
    await theirs.getByText('Food & Dining').waitFor();
    expect(await title.inputValue()).toBe('Mine');
    await theirs.getByRole('button', { name: 'Take theirs' }).click();
    await theirs.waitFor({ state: 'detached' });
    await expect.poll(() => title.inputValue()).toBe('His');
    await expect.poll(() => page.getByLabel('Category').inputValue()).toBe('Food');

    await title.fill('Mine after all');
    await benWrites('His again');
    await save.click();
    await theirs.getByRole('button', { name: 'Overwrite' }).click();
    await page.waitForURL(/\/date-ideas(\?updated=true)?$/);
    const { body } = await us.ada.call('GET /api/DateIdeas/{id}', { params: { id: idea.id } });
    expect(body.title).toBe('Mine after all');
  });
});
