import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { addIdea, completeDate, planDate } from '../../../../tests/support/factories.ts';
import { type Couple, keepNoticesOpen, registerUs, show, uploadPhoto } from '../../../../tests/support/screens.tsx';
import { DAY } from '../../../base/durations.ts';

describe('a question is answered after the partner was faster', () => {
  const tomorrow = Date.now() + DAY;
  const question = page.getByRole('alertdialog');
  const answer = (verb: string) => question.getByRole('button', { name: verb, exact: true }).click();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const expectSaid = async (text: string) => {
    await expect.element(page.getByRole('status').getByText(text)).toBeVisible();
  };
  const expectNoAlert = () => expect(page.getByRole('alert').getByText(/\w/).elements()).toEqual([]);

  let us: Couple;
  beforeEach(async () => {
    await page.viewport(1280, 800);
    us = await registerUs();
    keepNoticesOpen();
  });

  it('counts an idea, a date and a memory that the partner has deleted as deleted', {
    tags: ['dates.list.11', 'dates.list.12'],
  }, async () => {
    const idea = await addIdea(us.ada, { title: 'Row across the lake' });
    const plan = await planDate(us.ada, { idea: { title: 'The night market' }, at: tomorrow });
    const done = await completeDate(us.ada, { idea: { title: 'The pier' }, at: Date.now() - DAY, minutes: 60 });
    const memory = await uploadPhoto(us.ada, done.id, 1, 'One lamp');

    await show('/date-ideas?search=Row', us.ada);
    await press('Delete');
    await expect.element(question).toBeVisible();
    await us.ben.call('DELETE /api/DateIdeas/{id}', { params: { id: idea.id } });
    await answer('Delete');
    await expectSaid('Idea deleted.');
    expectNoAlert();

    await show(`/planned-dates/${plan.id}`, us.ada);
    await press('Delete');
    await expect.element(question).toBeVisible();
    await us.ben.call('DELETE /api/PlannedDates/{id}', { params: { id: plan.id } });
    await answer('Delete');
    await expectSaid('Our date is deleted.');
    await expect.element(page.getByRole('heading', { level: 1, name: 'Our Dates' })).toBeVisible();
    expectNoAlert();

    await show('/memories', us.ada);
    await press('Delete: One lamp');
    await expect.element(question).toBeVisible();
    await us.ben.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
    await answer('Delete');
    await expectSaid('Memory deleted.');
    await page.getByRole('status').filter({ hasText: 'Memory deleted.' }).getByRole('button', { name: 'Undo' }).click();
    await expect.element(page.getByText('1 memory found')).toBeVisible();
    expectNoAlert();
  });

  it('says why a date is not cancelled', { tags: ['dates.list.11', 'dates.list.12'] }, async () => {
    const plan = await planDate(us.ada, { idea: { title: 'The fair' }, at: tomorrow });
    await show(`/planned-dates/${plan.id}`, us.ada);
    await press('Cancel Date');
    await expect.element(question).toBeVisible();
    await us.ben.call('POST /api/PlannedDates/{id}/start', { params: { id: plan.id } });
    await answer('Cancel Date');
    const alert = 'Failed to cancel date. Please try again. Only a planned date can be cancelled.';
    await expect.element(page.getByRole('alert').getByText(alert)).toBeVisible();
    await expect.element(page.getByText('In Progress').first()).toBeVisible();
  });

  it('says that something is no longer among what was deleted', {
    tags: ['dates.list.11', 'dates.list.12'],
  }, async () => {
    const plan = await planDate(us.ada, { idea: { title: 'The old cinema' }, at: tomorrow });
    await us.ada.call('DELETE /api/PlannedDates/{id}', { params: { id: plan.id } });
    await show('/settings', us.ada);
    const entry = page.getByRole('listitem').filter({ hasText: 'The old cinema' });
    await entry.getByRole('button', { name: 'Delete now' }).click();
    await expect.element(question).toBeVisible();
    await us.ben.call('POST /api/Trash/{id}/restore', { params: { id: plan.id } });
    await answer('Delete');
    await expect.element(page.getByRole('alert').getByText('It is no longer in Recently deleted.')).toBeVisible();
    await expect.element(entry).not.toBeInTheDocument();
  });
});
