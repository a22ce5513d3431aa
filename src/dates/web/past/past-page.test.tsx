import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { loseAnswers } from '../../../../tests/support/handle-calls.ts';
import { type Couple, registerUs, show } from '../../../../tests/support/screens.tsx';

describe('a past date', () => {
  let us: Couple;
  beforeEach(async () => {
    await page.viewport(360, 780);
    us = await registerUs();
  });

  it('asks before its form is left, says what is missing, and keeps what was typed', {
    tags: ['dates.past.5', 'dates.past.6'],
  }, async () => {
    await show('/planned-dates/past', us.ada);
    const what = page.getByLabelText('What did we do?');
    await what.fill('A walk');
    await what.fill('');
    await expect.element(page.getByText('Please say what we did')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Add to Our Story' })).toBeDisabled();
    await what.fill('A walk');
    await page.getByRole('button', { name: 'Cancel' }).click();
    const question = page.getByRole('alertdialog');
    await expect.element(question.getByText('You have unsaved changes. Are you sure you want to leave?')).toBeVisible();
    await question.getByRole('button', { name: 'Stay' }).click();
    await show('/planned-dates/past', us.ada);
    await expect.element(what).toHaveValue('A walk');
  });

  it('is added once if only the answer was lost, although the new idea is known by then', {
    tags: ['dates.past.6'],
  }, async () => {
    await show('/planned-dates/past', us.ada);
    await page.getByLabelText('What did we do?').fill('A walk');
    const repair = loseAnswers('POST /api/PlannedDates/past', 1);
    const add = page.getByRole('button', { name: 'Add to Our Story' });
    await add.click();
    await expect.element(page.getByText('Failed to add date. Please try again.')).toBeVisible();
    repair();
    await expect.element(page.getByText('One of our ideas.')).toBeVisible();
    await add.click();
    await expect.poll(() => location.pathname).toMatch(/^\/planned-dates\/[^/]{10,}$/);
    expect((await us.ada.call('GET /api/PlannedDates')).body).toHaveLength(1);
  });
});
