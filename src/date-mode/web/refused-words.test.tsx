import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { startDate } from '../../../tests/support/factories.ts';
import { setOffline, UNTIL_RECONNECTED } from '../../../tests/support/handle-calls.ts';
import { findIssues } from '../../../tests/support/screen-issues.ts';
import { address, type Couple, registerUs, show } from '../../../tests/support/screens.tsx';
import { HOUR } from '../../base/durations.ts';
import { findAllDateWords } from './date-words.ts';

const WORDS = 'You stopped for every lamp.\nI counted them.';

const note = page.getByLabelText('A note, saved as we write');
const said = page.getByText('What you typed during ‘Lantern walk’ could not be saved, and is still on this device.');
const seeWords = said.getByRole('link', { name: 'See what you typed' });
const words = page.getByRole('region', { name: 'Words that were not saved' });
const question = page.getByRole('alertdialog');

let us: Couple;
let id: string;
let path: string;
beforeEach(async () => {
  await page.viewport(360, 780);
  us = await registerUs();
  ({ id } = await startDate(us.ada, { idea: { title: 'Lantern walk' }, at: Date.now() - HOUR }));
  path = `/planned-dates/${id}/now`;
});

const kept = () => findAllDateWords(us.ada.user.id);
const ENDS = {
  completed: () =>
    us.ben.call('POST /api/PlannedDates/{id}/complete', {
      params: { id },
      body: { actualEndTime: new Date().toISOString() },
    }),
  deleted: () => us.ben.call('DELETE /api/PlannedDates/{id}', { params: { id } }),
};

/** Types words offline, and leaves date mode. */
async function typeAndLeave(text: string): Promise<void> {
  await show(path, us.ada);
  await expect.element(note).toBeVisible();
  setOffline(true);
  await note.fill(text);
  await expect.poll(kept).toMatchObject([{ text }]);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.poll(address).not.toBe(path);
}

/** What is typed in date mode and can't be saved anymore. */
describe('words of date mode that the server refuses', () => {
  it.each(['completed', 'deleted'] as const)(
    'because the partner has %s the date are shown on every screen, and stay until they are discarded',
    { tags: ['datemode.9', 'datemode.10'] },
    async (end) => {
      await typeAndLeave(WORDS);
      await ENDS[end]();
      setOffline(false);
      await expect.element(said, UNTIL_RECONNECTED).toBeVisible();
      await show('/stats', us.ada);
      await expect.element(said).toBeVisible();
      expect(await findIssues('refused')).toEqual([]);
      await show('/date-ideas', us.ada);
      await seeWords.click();
      await expect.poll(address).toBe(path);
      await expect.element(words.getByText('I counted them.')).toBeVisible();
      await expect.element(said).not.toBeInTheDocument();
      expect(await findIssues('words')).toEqual([]);
      await page.getByRole('button', { name: 'Back' }).click();
      await seeWords.click();
      await words.getByRole('button', { name: 'Discard' }).click();
      await question.getByRole('button', { name: 'Discard' }).click();
      await expect.element(words).not.toBeInTheDocument();
      await expect.poll(() => document.activeElement?.id).toBe('main');
      await expect.poll(kept).toEqual([]);
      await page.getByRole('button', { name: 'Back' }).click();
      await expect.element(page.getByRole('heading', { level: 1, name: 'Date Ideas' })).toBeVisible();
      await expect.element(said).not.toBeInTheDocument();
    },
  );

  it('because they are too long lead back to the note, and stay when the date has ended', {
    tags: ['datemode.9'],
  }, async () => {
    const long = `${'We talked about the street lamps. '.repeat(30)}Then they went out.`;
    await typeAndLeave(long);
    setOffline(false);
    await show('/stats', us.ada);
    await expect.element(seeWords, UNTIL_RECONNECTED).toBeVisible();
    await seeWords.click();
    await expect.element(page.getByText('Notes cannot exceed 1000 characters')).toBeVisible();
    await expect.element(note).toHaveValue(long);
    await ENDS.completed();
    await expect.element(words.getByText('Then they went out.')).toBeVisible();
    await show(path, us.ada);
    await expect.element(words.getByText('Then they went out.')).toBeVisible();
  });

  it('can be copied, or selected where the browser copies nothing', { tags: ['datemode.9'] }, async () => {
    await typeAndLeave(WORDS);
    await ENDS.completed();
    setOffline(false);
    await show(path, us.ada);
    await expect.element(words, UNTIL_RECONNECTED).toBeVisible();
    const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await words.getByRole('button', { name: 'Copy' }).click();
    await expect.element(page.getByText('Copied', { exact: true })).toBeVisible();
    expect(copy).toHaveBeenCalledWith(WORDS);
    // Over plain HTTP.
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never);
    await words.getByRole('button', { name: /Cop/ }).click();
    await expect.element(page.getByText('Please select and copy the words yourself')).toBeVisible();
    vi.restoreAllMocks();
  });
});
