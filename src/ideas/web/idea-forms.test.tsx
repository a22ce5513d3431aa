import { beforeEach, describe, expect, it } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { addIdea } from '../../../tests/support/factories.ts';
import { failCalls, loseAnswers, refuseCalls, repairAtClick } from '../../../tests/support/handle-calls.ts';
import {
  address,
  type Couple,
  focus,
  press,
  registerUs,
  show,
  showSignedOut,
} from '../../../tests/support/screens.tsx';

import { SUGGESTIONS } from '../suggestions.ts';

const valueOf = (field: Locator) => (field.element() as HTMLInputElement).value;
const UNSAVED_QUESTION = 'You have unsaved changes. Are you sure you want to leave?';

/** Adding and editing an idea. */
describe('the idea forms', () => {
  let us: Couple;
  beforeEach(async () => {
    us = await registerUs();
  });

  it('begins empty, Romantic and active, and marks what is missing at Enter', {
    tags: ['ideas.form.1', 'ideas.form.5', 'ideas.form.8'],
  }, async () => {
    await page.viewport(360, 780);
    await show('/date-ideas/add', us.ada);
    const title = page.getByLabelText('Title', { exact: true });
    await expect.element(title).toBeVisible();
    await expect.element(page.getByRole('heading', { name: 'Need some inspiration?' })).toBeVisible();
    await expect.element(page.getByLabelText('Category')).toHaveValue('Romantic');
    await expect.element(page.getByLabelText('This date idea is active and available for planning')).toBeChecked();
    await expect.element(page.getByRole('button', { name: 'Save Idea' })).toBeDisabled();
    expect(page.getByText('Title is required').elements()).toEqual([]);
    // Enter marks the missing fields, although the button is disabled.
    focus(page.getByLabelText('This date idea is active'));
    await press(title, 'Enter');
    await expect.element(page.getByText('Title is required')).toBeVisible();
  });

  it('begins with a new share, also while an earlier one waits for a sign-in', {
    tags: ['ideas.form.16', 'ideas.form.17'],
  }, async () => {
    await showSignedOut('/date-ideas/add#title=The+earlier+one');
    await expect.element(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    // Somebody signs in without going back to the form.
    await show('/date-ideas/add#title=The+new+one', us.ada);
    const title = page.getByLabelText('Title', { exact: true });
    await expect.element(title).toHaveValue('The new one');
    expect(location.hash).toBe('');
    await show('/date-ideas/add', us.ben);
    await expect.element(title).toHaveValue('The earlier one');
  });

  it('counts the characters of a new idea, and says which text is too short or too long', {
    tags: ['ideas.form.2', 'ideas.form.4', 'ideas.form.5'],
  }, async () => {
    await show('/date-ideas/add', us.ada);
    const title = page.getByLabelText('Title', { exact: true });
    const save = page.getByRole('button', { name: 'Save Idea' });
    await title.fill('ab');
    await expect.element(page.getByText('Title must be at least 3 characters')).toBeVisible();
    await expect.element(page.getByText('2 / 200')).toBeVisible();
    // The family emoji counts as several code points, like on the server.
    await title.fill('👨‍👩‍👧'.repeat(40));
    await expect.element(page.getByText('200 / 200')).toBeVisible();
    await expect.element(save).toBeEnabled();
    await title.fill(`${'👨‍👩‍👧'.repeat(40)}!`);
    await expect.element(page.getByText('Title cannot exceed 200 characters')).toBeVisible();
    await title.fill('A picnic');
    await page.getByLabelText('Description').fill('x'.repeat(1001));
    await expect.element(page.getByText('Description cannot exceed 1000 characters')).toBeVisible();
    await expect.element(page.getByText('1001 / 1000')).toBeVisible();
    await expect.element(save).toBeDisabled();
  });

  it('saves a new idea, with its title in one line and no spaces around its texts', {
    tags: ['ideas.form.1'],
  }, async () => {
    await show('/date-ideas/add', us.ada);
    const title = page.getByLabelText('Title', { exact: true });
    await title.fill('A picnic\nby the river');
    await expect.element(title).toHaveValue('A picnic by the river');
    await page.getByLabelText('Description').fill('  With the good cloth.  ');
    await page.getByLabelText('Category').selectOptions('Outdoor');
    await page.getByRole('button', { name: 'Save Idea' }).click();
    await expect.poll(address).toBe('/date-ideas');
    await expect.element(page.getByRole('status').getByText('Our idea is saved.')).toBeVisible();
    const { body } = await us.ada.call('GET /api/DateIdeas/active');
    expect(body).toMatchObject([
      { title: 'A picnic by the river', description: 'With the good cloth.', category: 'Outdoor', isActive: true },
    ]);
  });

  it('suggests titles, never the same twice in a row, and can restore the typed one', {
    tags: ['ideas.form.6'],
  }, async () => {
    await page.viewport(1280, 800);
    await show('/date-ideas/add', us.ada);
    const title = page.getByLabelText('Title', { exact: true });
    await title.fill('Something of ours');
    const surprise = page.getByRole('button', { name: 'Surprise me' });
    await surprise.click();
    await expect.element(title).not.toHaveValue('Something of ours');
    let before = valueOf(title);
    expect(SUGGESTIONS).toContain(before);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(title).toHaveValue('Something of ours');
    for (let press = 0; press < 8; press += 1) {
      await surprise.click();
      await expect.element(title).not.toHaveValue(before);
      const next = valueOf(title);
      expect(SUGGESTIONS).toContain(next);
      before = next;
    }
  });

  it('asks before it clears all fields, and makes them Romantic and active again', {
    tags: ['ideas.form.7'],
  }, async () => {
    await show('/date-ideas/add', us.ada);
    const title = page.getByLabelText('Title', { exact: true });
    await title.fill('Something of ours');
    await page.getByRole('button', { name: 'Clear' }).click();
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to clear all fields?' });
    await question.getByRole('button', { name: 'Keep' }).click();
    await expect.element(title).toHaveValue('Something of ours');
    await page.getByLabelText('Category').selectOptions('Food');
    await page.getByLabelText('This date idea is active').click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await question.getByRole('button', { name: 'Clear' }).click();
    await expect.element(title).toHaveValue('');
    await expect.element(page.getByLabelText('Category')).toHaveValue('Romantic');
    await expect.element(page.getByLabelText('This date idea is active')).toBeChecked();
  });

  it('asks before typed text is lost by a link or Cancel', { tags: ['screens.forms.1'] }, async () => {
    await page.viewport(1280, 800);
    await show('/date-ideas', us.ada);
    await page.getByRole('link', { name: 'Add New Idea' }).click();
    const title = page.getByLabelText('Title', { exact: true });
    await title.fill('Half a thought');
    const question = page.getByRole('alertdialog', { name: UNSAVED_QUESTION });
    await page.getByRole('navigation').getByRole('link', { name: 'Our Dates' }).click();
    await expect.element(question).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect.element(title).toHaveValue('Half a thought');
    // With the original value again, nothing can be lost.
    await title.fill('');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect.poll(address).toBe('/date-ideas');
    await page.getByRole('link', { name: 'Add New Idea' }).click();
    await title.fill('Another thought');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await expect.poll(address).toBe('/date-ideas');
  });

  it('has the eight categories even if they cannot be loaded', { tags: ['ideas.form.9'] }, async () => {
    await page.viewport(360, 780);
    refuseCalls('GET /api/DateIdeas/categories', 503);
    await show('/date-ideas/add', us.ada);
    const categories = page.getByRole('alert').filter({ hasText: 'Failed to load categories. Using default options.' });
    await categories.getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(categories).not.toBeInTheDocument();
    await expect.poll(() => page.getByLabelText('Category').getByRole('option').elements()).toHaveLength(8);
  });

  it('keeps what was typed after a failure, and saves once for repeated submits', {
    tags: ['ideas.form.10'],
  }, async () => {
    await show('/date-ideas/add', us.ada);
    await page.getByLabelText('Title', { exact: true }).fill('The night train');
    await page.getByLabelText('Description').fill('Whatever leaves after nine.');
    const save = page.getByRole('button', { name: 'Save Idea' });
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to create date idea. Please try again.' });
    for (const fail of [
      () => refuseCalls('POST /api/DateIdeas', 500, undefined, 1),
      () => failCalls('POST /api/DateIdeas', 1),
      () => loseAnswers('POST /api/DateIdeas', 1),
    ]) {
      fail();
      await save.click();
      await failure.getByRole('button', { name: 'Dismiss' }).click();
      await expect.element(failure).not.toBeInTheDocument();
      await expect.element(page.getByLabelText('Title', { exact: true })).toHaveValue('The night train');
      await expect.element(page.getByLabelText('Description')).toHaveValue('Whatever leaves after nine.');
    }
    await save.click();
    await expect.poll(address).toBe('/date-ideas');
    expect((await us.ada.call('GET /api/DateIdeas')).body).toHaveLength(1);
  });

  it('has messages and counters of its own for an edit', {
    tags: ['ideas.form.2', 'ideas.form.4', 'ideas.form.11'],
  }, async () => {
    const idea = await addIdea(us.ada, { title: 'Go', description: 'Somewhere', category: 'Active' });
    await page.viewport(360, 780);
    await show(`/date-ideas/${idea.id}/edit`, us.ada);
    const title = page.getByLabelText('Title', { exact: true });
    const save = page.getByRole('button', { name: 'Save Changes' });
    await expect.element(title).toBeVisible();
    await expect.element(title).toHaveValue('Go');
    await expect.element(page.getByText('2/200')).toBeVisible();
    await expect.element(page.getByText('Inactive ideas will not appear when browsing date ideas.')).toBeVisible();
    await title.fill('x'.repeat(201));
    await expect.element(page.getByText('Title must be 200 characters or less')).toBeVisible();
    await title.fill('');
    await expect.element(page.getByText('Title is required')).toBeVisible();
    await page.getByLabelText('Description').fill('y'.repeat(1001));
    await expect.element(page.getByText('Description must be 1000 characters or less')).toBeVisible();
    await expect.element(save).toBeDisabled();
  });

  it('keeps an edit that could not be saved, and saves it at the next try', {
    tags: ['ideas.list.12', 'ideas.form.11', 'ideas.form.13'],
  }, async () => {
    const idea = await addIdea(us.ada, { title: 'Go', description: 'Somewhere', category: 'Active' });
    await show(`/date-ideas/${idea.id}/edit`, us.ada);
    const title = page.getByLabelText('Title', { exact: true });
    const save = page.getByRole('button', { name: 'Save Changes' });
    await title.fill('Go far');
    await page.getByLabelText('Description').fill('');

    failCalls(`PUT /api/DateIdeas/${idea.id}`, 1);
    await save.click();
    await expect
      .element(page.getByRole('alert').getByText('Failed to update date idea. Please try again.'))
      .toBeVisible();
    refuseCalls(`PUT /api/DateIdeas/${idea.id}`, 503, 'The album is being bound.', 1);
    await save.click();
    await expect.element(page.getByRole('alert').getByText('The album is being bound.')).toBeVisible();
    await expect.element(title).toHaveValue('Go far');
    await save.click();
    await expect.poll(address).toMatch(/\/date-ideas(\?updated=true)?$/);
    await expect.element(page.getByRole('status').getByText('Our idea is updated.')).toBeVisible();
    const { body } = await us.ada.call('GET /api/DateIdeas/{id}', { params: { id: idea.id } });
    expect(body).toMatchObject({ title: 'Go far', description: null, category: 'Active' });
  });

  it('says why an idea cannot be edited', { tags: ['ideas.form.11', 'ideas.form.12'] }, async () => {
    const idea = await addIdea(us.ada, { title: 'Ours' });
    await page.viewport(1280, 800);
    await show('/date-ideas/unknown/edit', us.ada);
    await expect.element(page.getByRole('alert').getByText('Date idea not found')).toBeVisible();
    await page.getByRole('link', { name: 'Go Back' }).click();
    await expect.poll(address).toBe('/date-ideas');
    await show('/date-ideas/%20/edit', us.ada);
    await expect.element(page.getByText('No date idea ID provided')).toBeVisible();
    const call = `GET /api/DateIdeas/${idea.id}` as const;
    const repair = refuseCalls(call, 500);
    await show(`/date-ideas/${idea.id}/edit`, us.ada);
    await expect.element(page.getByText('Failed to load date idea details')).toBeVisible();
    let repairAgain = () => {};
    repairAtClick(() => {
      repair();
      repairAgain = refuseCalls(call, 500, 'Out of paper.');
    });
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(page.getByText('Out of paper.')).toBeVisible();
    repairAtClick(repairAgain);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(page.getByLabelText('Title', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect.poll(address).toBe('/date-ideas');
  });

  it('shows both versions of a stale edit and asks which to keep', { tags: ['ideas.form.14'] }, async () => {
    const idea = await addIdea(us.ada, { title: 'Ours', description: 'Together' });
    await page.viewport(1280, 800);
    const path = `/date-ideas/${idea.id}/edit`;
    const title = page.getByLabelText('Title', { exact: true });
    const save = page.getByRole('button', { name: 'Save Changes' });
    const theirs = page.getByRole('region', { name: 'Their version' });
    const benWrites = (to: string) =>
      us.ben.call('PUT /api/DateIdeas/{id}', {
        params: { id: idea.id },
        body: { title: to, description: 'Together', category: 'Food' },
      });
    await show(path, us.ada);
    await title.fill('Mine');
    await benWrites('His');
    await save.click();
    await expect.element(theirs.getByText('His', { exact: true })).toBeVisible();
    await expect.element(theirs.getByText('Food & Dining')).toBeVisible();
    await expect.element(title).toHaveValue('Mine');
    await theirs.getByRole('button', { name: 'Take theirs' }).click();
    await expect.element(theirs).not.toBeInTheDocument();
    await expect.element(title).toHaveValue('His');
    await expect.element(page.getByLabelText('Category')).toHaveValue('Food');

    await title.fill('Mine after all');
    await benWrites('His again');
    await save.click();
    await theirs.getByRole('button', { name: 'Overwrite' }).click();
    await expect.poll(address).toMatch(/\/date-ideas(\?updated=true)?$/);
    const { body } = await us.ada.call('GET /api/DateIdeas/{id}', { params: { id: idea.id } });
    expect(body.title).toBe('Mine after all');
  });
});
