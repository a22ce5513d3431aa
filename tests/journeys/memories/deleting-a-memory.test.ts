import { beforeAll, describe, expect, it } from 'vitest';
import type { PlannedDate } from '../../../src/dates/contract.ts';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { gotoLive, keepNotices } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';

describe('the gallery', () => {
  const us = useCouple();
  let beach: PlannedDate;
  let arezzo: PlannedDate;
  beforeAll(async () => {
    beach = await completeDate(us.ada, { idea: { title: 'The whole beach' }, at: '2026-11-20T14:00:00Z', minutes: 60 });
    arezzo = await completeDate(us.ada, { idea: { title: 'Arezzo' }, at: '2026-10-17T09:00:00Z', minutes: 60 });
    await addPhoto(us.ada, beach.id, 1, 'One pair of gloves');
    await addPhoto(us.ada, beach.id, 2);
    await addPhoto(us.ada, arezzo.id, 3, 'Ours is the third door');
  });

  it('deletes after a confirmation, and restores with Undo', { tags: ['memories.gallery.12'] }, async () => {
    const page = await us.open(PHONE);
    const ben = await us.openAs(us.ben);
    await gotoLive(ben, '/memories');
    await ben.getByText('3 memories found').waitFor();
    await keepNotices(page);
    await page.goto('/memories');
    const remove = page.getByRole('button', { name: 'Delete: Ours is the third door' });
    await remove.click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Are you sure you want to delete this memory?').waitFor();
    await question.getByText(/30 days.*Recently deleted/).waitFor();
    await question.getByRole('button', { name: 'Keep' }).click();
    await page.getByText('3 memories found').waitFor();
    await remove.click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 memories found').waitFor();
    await expect.poll(() => remove.count()).toBe(0);
    await ben.getByText('2 memories found').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 memories found').waitFor();
    await ben.getByText('3 memories found').waitFor();
  });
});
