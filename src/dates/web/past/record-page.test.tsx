import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { completeDate, planDate } from '../../../../tests/support/factories.ts';
import { findIssues } from '../../../../tests/support/screen-issues.ts';
import { address, type Couple, registerUs, show } from '../../../../tests/support/screens.tsx';
import { DAY } from '../../../base/durations.ts';

describe('what happened on a date', () => {
  let us: Couple;
  beforeEach(async () => {
    await page.viewport(360, 780);
    us = await registerUs();
  });

  it('is corrected from its details, and only when it is completed', { tags: ['dates.record.3'] }, async () => {
    const at = Date.now() - 3 * DAY;
    const done = await completeDate(us.ada, { idea: { title: 'The fair' }, at, minutes: 60 });
    const planned = await planDate(us.ada);
    await show(`/planned-dates/${done.id}`, us.ada);
    const correct = page.getByRole('link', { name: 'Correct what happened' });
    await correct.click();
    await expect.element(page.getByRole('heading', { level: 1, name: 'Correct What Happened' })).toBeVisible();
    expect(await findIssues('a correction')).toEqual([]);
    await page.getByLabelText('Notes').fill('We won a goldfish');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect.poll(address).toBe(`/planned-dates/${done.id}`);
    await expect.element(page.getByText('We won a goldfish')).toBeVisible();
    await show(`/planned-dates/${done.id}/edit`, us.ada);
    await expect.element(correct).toBeVisible();
    await show(`/planned-dates/${planned.id}/record`, us.ada);
    await expect.element(page.getByRole('heading', { name: 'Cannot Correct This Date' })).toBeVisible();
    await expect.element(page.getByText('Only a completed date can be corrected.')).toBeVisible();
  });
});
