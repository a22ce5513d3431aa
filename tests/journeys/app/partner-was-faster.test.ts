import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/base/time.ts';
import { DESKTOP } from '../../support/browser.ts';
import { addIdea, addPhoto, completeDate, planDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

describe('a question is answered after the partner was faster', () => {
  const us = useCouple();
  const tomorrow = Date.now() + DAY;
  const answer = (page: Page, verb: string) =>
    page.getByRole('alertdialog').getByRole('button', { name: verb, exact: true }).click();
  const question = (page: Page) => page.getByRole('alertdialog').waitFor();
  const says = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const alerts = (page: Page) => page.getByRole('alert').filter({ visible: true }).allInnerTexts();

  it('counts an idea, a date and a memory that the partner has deleted as deleted', {
    tags: ['dates.list.11', 'dates.list.12'],
  }, async () => {
    const idea = await addIdea(us.ada, { title: 'Row across the lake' });
    const plan = await planDate(us.ada, { idea: { title: 'The night market' }, at: tomorrow });
    const done = await completeDate(us.ada, { idea: { title: 'The pier' }, at: '2026-11-20T14:00:00Z', minutes: 60 });
    const memory = await addPhoto(us.ada, done.id, 1, 'One lamp');
    const page = await us.open(DESKTOP);

    await page.goto('/date-ideas?search=Row');
    await page.getByRole('button', { name: 'Delete' }).click();
    await question(page);
    await us.ben.call('DELETE /api/DateIdeas/{id}', { params: { id: idea.id } });
    await answer(page, 'Delete');
    await says(page, 'Idea deleted.');
    expect(await alerts(page)).toEqual([]);

    await page.goto(`/planned-dates/${plan.id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await question(page);
    await us.ben.call('DELETE /api/PlannedDates/{id}', { params: { id: plan.id } });
    await answer(page, 'Delete');
    await says(page, 'Our date is deleted.');
    await page.waitForURL('**/planned-dates');
    expect(await alerts(page)).toEqual([]);

    await page.goto('/memories');
    await page.getByRole('button', { name: 'Delete: One lamp' }).click();
    await question(page);
    await us.ben.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
    await answer(page, 'Delete');
    await says(page, 'Memory deleted.');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 memory found').waitFor();
    expect(await alerts(page)).toEqual([]);
  });

  it('says why a date is not cancelled', { tags: ['dates.list.11', 'dates.list.12'] }, async () => {
    const plan = await planDate(us.ada, { idea: { title: 'The fair' }, at: tomorrow });
    const page = await us.open(DESKTOP);
    await page.goto(`/planned-dates/${plan.id}`);
    await page.getByRole('button', { name: 'Cancel Date' }).click();
    await question(page);
    await us.ben.call('POST /api/PlannedDates/{id}/start', { params: { id: plan.id } });
    await answer(page, 'Cancel Date');
    const alert = 'Failed to cancel date. Please try again. Only a planned date can be cancelled.';
    await page.getByRole('alert').getByText(alert).waitFor();
    await page.getByText('In Progress').waitFor();
  });

  it('says that something is no longer among what was deleted', {
    tags: ['dates.list.11', 'dates.list.12'],
  }, async () => {
    const plan = await planDate(us.ada, { idea: { title: 'The old cinema' }, at: tomorrow });
    await us.ada.call('DELETE /api/PlannedDates/{id}', { params: { id: plan.id } });
    const page = await us.open(DESKTOP);
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Delete now', description: 'The old cinema' }).click();
    await question(page);
    await us.ben.call('POST /api/Trash/{id}/restore', { params: { id: plan.id } });
    await answer(page, 'Delete');
    await page.getByRole('alert').getByText('It is no longer in Recently deleted.').waitFor();
    await page.getByText('The old cinema').waitFor({ state: 'detached' });
  });
});
