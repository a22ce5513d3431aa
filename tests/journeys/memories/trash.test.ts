import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/base/durations.ts';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';
import { countOf } from '../upload-page.ts';

describe('recently deleted', () => {
  const us = useCouple();

  it('shows who deleted what, restores, and deletes permanently', {
    tags: ['screens.words.7', 'memories.trash.6', 'memories.trash.7'],
  }, async () => {
    const date = await completeDate(us.ada, {
      idea: { title: 'The whole beach' },
      at: '2026-11-20T14:00:00Z',
      minutes: 60,
    });
    const gloves = await addPhoto(us.ada, date.id, 1, 'One pair of gloves');
    const rain = await addPhoto(us.ada, date.id, 2);
    for (const { id } of [gloves, rain]) await us.ben.call('DELETE /api/Memories/{id}', { params: { id } });

    const page = await us.open();
    // A device whose clock is behind the server's.
    await page.clock.setFixedTime(Date.now() - MINUTE);
    await page.goto('/settings');
    const entries = page.getByRole('region', { name: 'Recently deleted' }).getByRole('listitem');
    const entry = entries.filter({ hasText: 'One pair of gloves' });
    await entry.getByText(/A memory, deleted by Ben 0 seconds ago/).waitFor();
    await entry.getByRole('button', { name: 'Put back' }).click();
    await expect.poll(() => entry.count()).toBe(0);
    await expect.poll(() => countOf(us.ada, date.id)).toBe(1);

    const other = entries.filter({ hasText: 'photo-2.jpg' });
    await other.getByRole('button', { name: 'Delete now' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Keep' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await other.count()).toBe(1);
    await other.getByRole('button', { name: 'Delete now' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing deleted. Everything is where it belongs.').waitFor();
    await expect.poll(async () => (await us.ada.call('GET /api/Trash')).body).toEqual([]);
  });

  it('restores a date with its memories, and says why a memory cannot be restored', {
    tags: ['memories.trash.8'],
  }, async () => {
    const date = await completeDate(us.ada, { idea: { title: 'Rain' }, at: '2026-11-19T14:00:00Z', minutes: 60 });
    const deleted = await addPhoto(us.ada, date.id, 3, 'Wet glasses');
    await addPhoto(us.ada, date.id, 4);
    await us.ada.call('DELETE /api/Memories/{id}', { params: { id: deleted.id } });
    await us.ada.call('DELETE /api/PlannedDates/{id}', { params: { id: date.id } });

    const page = await us.openAs(us.ben, PHONE);
    await page.goto('/settings');
    const entries = page.getByRole('region', { name: 'Recently deleted' }).getByRole('listitem');
    const memory = entries.filter({ hasText: 'Wet glasses' });
    await memory.getByRole('button', { name: 'Put back' }).click();
    await page.getByRole('alert').waitFor();
    expect(await memory.count()).toBe(1);
    const dateEntry = entries.filter({ hasText: 'A date with 1 memory, deleted by Ada' });
    await dateEntry.getByRole('button', { name: 'Put back' }).click();
    await page.getByText('The date and its memories are back.').waitFor();
    expect(await countOf(us.ben, date.id)).toBe(1);
    await memory.getByRole('button', { name: 'Put back' }).click();
    await page.getByText('The memory is back.').waitFor();
    expect(await countOf(us.ben, date.id)).toBe(2);
  });
});
