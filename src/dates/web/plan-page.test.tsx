import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { addIdea, planDate } from '../../../tests/support/factories.ts';
import {
  failCalls,
  handleCalls,
  loseAnswers,
  refuseCalls,
  repairAtClick,
} from '../../../tests/support/handle-calls.ts';
import { address, type Couple, registerUs, show } from '../../../tests/support/screens.tsx';

/** Planning a date from an idea. */
describe('planning a date', () => {
  let us: Couple;
  beforeEach(async () => {
    us = await registerUs();
  });

  const start = page.getByLabelText('Date and time');
  const submit = page.getByRole('button', { name: 'Plan This Date' });
  const openForm = async () => {
    const idea = await addIdea(us.ada, { title: 'Fort' });
    await page.viewport(1280, 800);
    await show(`/date-ideas/${idea.id}/plan`, us.ada);
    await expect.element(start).toBeVisible();
  };

  it('shows above the form that the idea has no description', { tags: ['dates.plan.1'] }, async () => {
    await openForm();
    await expect.element(page.getByText('No description provided')).toBeVisible();
  });

  it('says beside a time what is wrong with it', { tags: ['dates.plan.4'] }, async () => {
    await openForm();
    await start.fill('');
    await expect.element(page.getByText('Date and time is required')).toBeVisible();
    await expect.element(submit).toBeDisabled();
    const year = new Date().getFullYear();
    await start.fill(`${year + 3}-01-01T19:00`);
    await expect.element(page.getByText('Date and time cannot be more than two years ahead')).toBeVisible();
    await start.fill(`${year + 1}-06-01T19:00`);
    await page.getByLabelText('End time').fill(`${year + 1}-06-01T19:00`);
    await expect.element(page.getByText('End time must be after start time')).toBeVisible();
    await expect.element(page.getByLabelText('End time')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabelText('End time').fill(`${year + 1}-06-01T21:00`);
    await expect.element(page.getByText('End time must be after start time')).not.toBeInTheDocument();
    // The end is validated again when the start changes.
    await start.fill(`${year + 1}-06-01T22:00`);
    await expect.element(page.getByText('End time must be after start time')).toBeVisible();
  });

  it('says beside a text that it is too long, with both numbers', { tags: ['dates.plan.4'] }, async () => {
    await openForm();
    await page.getByLabelText('Location').fill('x'.repeat(201));
    await expect.element(page.getByText('Location cannot exceed 200 characters')).toBeVisible();
    await expect.element(page.getByText('201 / 200')).toBeVisible();
    await page.getByLabelText('Location').fill('Home');
    await page.getByLabelText('Notes').fill('y'.repeat(501));
    await expect.element(page.getByText('Notes cannot exceed 500 characters')).toBeVisible();
    await expect.element(page.getByText('501 / 500')).toBeVisible();
    await expect.element(submit).toBeDisabled();
  });

  it('keeps what was typed after a failure, and plans once', { tags: ['dates.plan.7', 'dates.plan.10'] }, async () => {
    const idea = await addIdea(us.ada);
    await page.viewport(360, 780);
    await show(`/date-ideas/${idea.id}/plan`, us.ada);
    await page.getByLabelText('Notes').fill('Bring the blue scarf');
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to plan date. Please try again.' });
    const released = Promise.withResolvers<void>();
    handleCalls(
      'POST /api/PlannedDates',
      async (ask) => {
        await ask();
        await released.promise;
        throw new TypeError('Failed to fetch');
      },
      1,
    );
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await expect.element(page.getByRole('button', { name: 'Planning...' })).toBeVisible();
    released.resolve();
    await expect.element(failure).toBeVisible();
    await expect.element(page.getByLabelText('Notes')).toHaveValue('Bring the blue scarf');
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await expect.poll(address).toMatch(/\/planned-dates\/[0-9a-f-]{36}$/);
    expect((await us.ada.call('GET /api/PlannedDates')).body).toHaveLength(1);
  });

  it('says why an idea cannot be planned', { tags: ['dates.plan.9'] }, async () => {
    const idea = await addIdea(us.ada, { title: 'Resting', isActive: false });
    await page.viewport(1280, 800);
    await show('/date-ideas/unknown/plan', us.ada);
    await expect.element(page.getByRole('alert').getByText('Date idea not found.')).toBeVisible();
    await show('/date-ideas/%20/plan', us.ada);
    await expect.element(page.getByText('No date idea specified.')).toBeVisible();
    const repair = refuseCalls(`GET /api/DateIdeas/${idea.id}`, 500);
    await show(`/date-ideas/${idea.id}/plan`, us.ada);
    await expect.element(page.getByText('Failed to load date idea. Please try again.')).toBeVisible();
    repairAtClick(repair);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect
      .element(page.getByText('This idea is inactive. Make it active again to plan a date from it.'))
      .toBeVisible();
  });

  it('reactivates an inactive idea unchanged', { tags: ['home.dashboard.17'] }, async () => {
    const idea = await addIdea(us.ada, { title: 'Resting', description: 'At the weir', isActive: false });
    await page.viewport(360, 780);
    await show(`/date-ideas/${idea.id}/plan`, us.ada);
    const bringBack = page.getByRole('button', { name: 'Make it active again' });
    await expect.element(bringBack).toBeVisible();
    failCalls(`PUT /api/DateIdeas/${idea.id}`, 1);
    await bringBack.click();
    await expect
      .element(page.getByRole('alert').getByText('Failed to update date idea. Please try again.'))
      .toBeVisible();
    await bringBack.click();
    await expect.element(page.getByLabelText('Location')).toHaveValue('the weir');
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await expect.poll(address).toMatch(/\/planned-dates\/[0-9a-f-]{36}$/);
    const { body } = await us.ada.call('GET /api/DateIdeas/{id}', { params: { id: idea.id } });
    expect(body).toMatchObject({ title: 'Resting', description: 'At the weir', isActive: true });
  });

  it('reactivates an inactive idea, although the answer to the first press was lost', {
    tags: ['ideas.form.15'],
  }, async () => {
    const idea = await addIdea(us.ada, { title: 'Resting', description: 'At the weir', isActive: false });
    await page.viewport(1280, 800);
    await show(`/date-ideas/${idea.id}/plan`, us.ada);
    const bringBack = page.getByRole('button', { name: 'Make it active again' });
    await expect.element(bringBack).toBeVisible();
    loseAnswers(`PUT /api/DateIdeas/${idea.id}`, 1);
    await bringBack.click();
    await expect
      .element(page.getByRole('alert').getByText('Failed to update date idea. Please try again.'))
      .toBeVisible();
    await bringBack.click();
    await expect.element(page.getByLabelText('Location')).toHaveValue('the weir');
  });

  it('reactivates an inactive idea as the partner has changed it since', { tags: ['ideas.form.15'] }, async () => {
    const { id } = await addIdea(us.ada, { title: 'Resting', isActive: false });
    await page.viewport(1280, 800);
    await show(`/date-ideas/${id}/plan`, us.ada);
    const bringBack = page.getByRole('button', { name: 'Make it active again' });
    await expect.element(bringBack).toBeVisible();
    const body = { title: 'Resting by the river', category: 'Outdoor', isActive: false } as const;
    await us.ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body });
    await bringBack.click();
    await expect.element(page.getByRole('heading', { name: 'Plan a Date' })).toBeVisible();
    await expect.element(page.getByRole('article').first().getByText('Resting by the river')).toBeVisible();
    const saved = (await us.ada.call('GET /api/DateIdeas/{id}', { params: { id } })).body;
    expect(saved).toMatchObject({ ...body, isActive: true });
  });

  it('adds a deleted idea again, once, if a date still has its fields', { tags: ['home.dashboard.17'] }, async () => {
    const idea = await addIdea(us.ada, {
      title: 'The slow lunch',
      description: 'At the pier',
      category: 'Food',
    });
    await planDate(us.ada, { idea: idea.id });
    await us.ada.call('DELETE /api/DateIdeas/{id}', { params: { id: idea.id } });
    await page.viewport(1280, 800);
    await show(`/date-ideas/${idea.id}/plan`, us.ada);
    await expect.element(page.getByRole('heading', { level: 1, name: 'The slow lunch' })).toBeVisible();
    await expect.element(page.getByText('This idea was deleted. Add it again to plan a date from it.')).toBeVisible();
    // The reply is lost: the second click doesn't add another idea.
    loseAnswers('POST /api/DateIdeas', 1);
    await page.getByRole('button', { name: 'Add it again' }).click();
    await expect
      .element(page.getByRole('alert').getByText('Failed to create date idea. Please try again.'))
      .toBeVisible();
    await page.getByRole('button', { name: 'Add it again' }).click();
    await expect.element(page.getByLabelText('Date and time')).toBeVisible();
    const { body } = await us.ada.call('GET /api/DateIdeas');
    expect(body).toMatchObject([
      { title: 'The slow lunch', description: 'At the pier', category: 'Food', isActive: true, plannedDatesCount: 0 },
    ]);
    await expect.poll(() => location.pathname).toBe(`/date-ideas/${body[0]?.id}/plan`);
  });
});
