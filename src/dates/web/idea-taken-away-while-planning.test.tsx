import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { addIdea } from '../../../tests/support/factories.ts';
import { failCalls, loseAnswers } from '../../../tests/support/handle-calls.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { address, registerUs, show } from '../../../tests/support/screens.tsx';

const WORDS = 'Bring the blue scarf';

/** The partner deletes or deactivates the idea while a date is planned from it, so that trying again can't help. */
describe('planning a date from an idea that the partner takes away', () => {
  let ada: Partner;
  let ben: Partner;
  let id: string;
  const idea = { title: 'The slow lunch', description: 'At the pier', category: 'Food' } as const;
  beforeEach(async () => {
    ({ ada, ben } = await registerUs());
    ({ id } = await addIdea(ada, idea));
  });

  const remove = () => ben.call('DELETE /api/DateIdeas/{id}', { params: { id } });
  const deactivate = () => ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body: { ...idea, isActive: false } });
  const plan = () => page.getByRole('button', { name: 'Plan This Date' });
  const refusal = (text: string) => page.getByRole('alert').filter({ hasText: text });
  const isKept = async () => {
    await expect.element(page.getByLabelText('Notes')).toHaveValue(WORDS);
    expect((page.getByLabelText('Date and time').element() as HTMLInputElement).value).toMatch(/T14:00$/);
    await expect.element(page.getByLabelText('Keep it a surprise')).toBeChecked();
  };
  const fillIn = async (width: number) => {
    await page.viewport(width, 800);
    await show(`/date-ideas/${id}/plan`, ada);
    await page.getByRole('button', { name: 'This Weekend' }).click();
    await page.getByLabelText('Notes').fill(WORDS);
    await page.getByLabelText('Keep it a surprise').click();
  };
  const planned = async () => {
    await plan().click();
    await expect.poll(address).toMatch(/\/planned-dates\/[0-9a-f-]{36}$/);
    const { body } = await ada.call('GET /api/PlannedDates');
    expect(body).toMatchObject([{ notes: WORDS, surprise: { mine: true } }]);
  };

  it('says that it was deleted, and adds it again, once', { tags: ['dates.plan.11'] }, async () => {
    await fillIn(360);
    await remove();
    await plan().click();
    const deleted = refusal('This idea was deleted. Add it again to plan a date from it.');
    await expect.element(deleted.getByText('What you wrote is still here.')).toBeVisible();
    await isKept();
    loseAnswers('POST /api/DateIdeas', 1);
    await deleted.getByRole('button', { name: 'Add it again' }).click();
    await expect.element(refusal('Failed to create date idea. Please try again.')).toBeVisible();
    await isKept();
    await deleted.getByRole('button', { name: 'Add it again' }).click();
    await expect.poll(address).not.toContain(id);
    await expect.element(page.getByText('We restored what you had written.')).toBeVisible();
    await isKept();
    await planned();
    const { body } = await ada.call('GET /api/DateIdeas');
    expect(body).toMatchObject([{ ...idea, isActive: true, plannedDatesCount: 1 }]);
  });

  it('says that it is inactive, and makes it active again', { tags: ['dates.plan.11'] }, async () => {
    await fillIn(1280);
    await deactivate();
    await plan().click();
    const inactive = refusal('This idea is inactive. Make it active again to plan a date from it.');
    failCalls('PUT /api/DateIdeas/*', 1);
    const activate = inactive.getByRole('button', { name: 'Make it active again' });
    await activate.click();
    await expect.element(refusal('Failed to update date idea. Please try again.')).toBeVisible();
    await activate.click();
    await expect.element(inactive).not.toBeInTheDocument();
    await isKept();
    // The button that had the focus is gone.
    await expect.element(plan()).toHaveFocus();
    await planned();
  });

  it('says so if it was deleted when it is to be made active again', { tags: ['dates.plan.11'] }, async () => {
    await fillIn(1280);
    await deactivate();
    await plan().click();
    const activate = page.getByRole('button', { name: 'Make it active again' });
    await expect.element(activate).toBeVisible();
    await remove();
    await activate.click();
    await expect.element(refusal('This idea was deleted. Add it again to plan a date from it.')).toBeVisible();
    await isKept();
  });

  it('says so if it was inactive from the start', { tags: ['dates.plan.11'] }, async () => {
    await deactivate();
    await page.viewport(360, 780);
    await show(`/date-ideas/${id}/plan`, ada);
    const activate = page.getByRole('button', { name: 'Make it active again' });
    await expect.element(activate).toBeVisible();
    await remove();
    await activate.click();
    await expect.element(page.getByRole('alert').getByText('Date idea not found.')).toBeVisible();
  });
});
