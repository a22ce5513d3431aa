import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../../src/base/durations.ts';
import { expectNoViolations } from '../../support/accessibility.ts';
import type { Caller } from '../../support/caller.ts';
import { completeDate } from '../../support/factories.ts';
import { gotoLive } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { keptWords } from '../stored-rows.ts';

const LETTER = 'The long letter, which nobody may lose.';

describe('a note that is being written', () => {
  const us = useCouple();
  let date: string;
  let path: string;
  beforeEach(async () => {
    ({ id: date } = await completeDate(us.ada, { at: Date.now() - DAY, minutes: 90 }));
    path = `/planned-dates/${date}`;
  });

  const section = (page: Page) => page.getByRole('region', { name: 'What I want to remember' });
  const field = (page: Page) => section(page).getByRole('textbox', { name: 'My note' });
  const press = (page: Page, name: string) => section(page).getByRole('button', { name, exact: true }).click();
  const letter = (page: Page, name: string) => section(page).getByRole('article', { name: `Note by ${name}` });
  const unsaved = (page: Page) => page.getByRole('region', { name: 'Words that were not saved' });
  const write = (who: Caller, text: string) =>
    who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id: date }, body: { text } });
  const draftsOf = async (page: Page) =>
    ((await keptWords(page, 'sealed')) as { text: string }[]).map(({ text }) => text);
  /** Expects that the form is as it was: with the words, the focus, and taking more. */
  const expectUndisturbed = async (page: Page) => {
    expect(await field(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type(' More.');
    expect(await field(page).inputValue()).toBe(`${LETTER} More.`);
  };

  it('is in two windows what was typed last, and stays when the other one seals its words', {
    tags: ['notes.13'],
  }, async () => {
    const first = await us.open();
    await gotoLive(first, path);
    await field(first).fill('Short');
    const second = await first.context().newPage();
    await gotoLive(second, path);
    await expect.poll(() => field(second).inputValue()).toBe('Short');
    await field(second).fill(LETTER);
    await expect.poll(() => draftsOf(first)).toEqual([LETTER]);
    await press(first, 'Seal my note');
    await letter(first, 'Ada').getByText('Short').waitFor();
    await section(second).getByRole('button', { name: 'Leave it as it was' }).waitFor();
    await expectUndisturbed(second);
    await expect.poll(() => draftsOf(second)).toEqual([`${LETTER} More.`]);
    await second.reload();
    await expect.poll(() => field(second).inputValue()).toBe(`${LETTER} More.`);
    await press(second, 'Seal my note');
    await letter(second, 'Ada').getByText('More.').waitFor();
    await expect.poll(() => draftsOf(first)).toEqual([]);
  });

  it('is not kept without words and hearts', { tags: ['notes.12'] }, async () => {
    const page = await us.open();
    await gotoLive(page, path);
    await field(page).fill('S');
    await expect.poll(() => draftsOf(page)).toEqual(['S']);
    await field(page).fill('');
    await expect.poll(() => draftsOf(page)).toEqual([]);
    await section(page).getByRole('radio', { name: '4 hearts' }).check();
    await expect.poll(() => draftsOf(page)).toEqual(['']);
    await page.reload();
    await section(page).getByRole('radio', { name: '4 hearts', checked: true }).waitFor();
  });

  it('does not wait for a database that does not open', { tags: ['notes.13'] }, async () => {
    const page = await us.open();
    await gotoLive(page, path);
    await field(page).waitFor();
    const database = await blockDrafts(page);
    await page.reload();
    await field(page).waitFor();
    await field(page).fill('Short');
    await database.open();
    await expect.poll(() => draftsOf(page)).toEqual(['Short']);
  });

  it('stays when another device seals other words, or both notes open', { tags: ['notes.13'] }, async () => {
    const page = await us.open();
    await gotoLive(page, path);
    await field(page).fill(LETTER);
    await write(us.ada, 'From the phone');
    await section(page).getByRole('button', { name: 'Leave it as it was' }).waitFor();
    await expectUndisturbed(page);
    await write(us.ben, 'From Ben');
    await letter(page, 'Ben').getByText('From Ben').waitFor();
    await field(page).press('End');
    await page.keyboard.type(' And more.');
    await press(page, 'Keep these words');
    await letter(page, 'Ada').getByText('From the phone').waitFor();
    await section(page).getByRole('region', { name: 'Not in your note' }).getByText('More. And more.').waitFor();
  });

  it('is shown with ‘Copy’ and ‘Discard’ when the partner deletes the date, also after a reload', {
    tags: ['notes.14'],
  }, async () => {
    const page = await us.open();
    await gotoLive(page, path);
    await field(page).fill(LETTER);
    await us.ben.call('DELETE /api/PlannedDates/{id}', { params: { id: date } });
    await page.getByText('Date not found.').waitFor();
    await unsaved(page).getByText(LETTER).waitFor();
    await page.reload();
    await unsaved(page).getByText(LETTER).waitFor();
    await unsaved(page).getByRole('button', { name: 'Copy' }).waitFor();
    await expectNoViolations(page);
    // It is a draft again if the date is put back.
    await us.ben.call('POST /api/Trash/{id}/restore', { params: { id: date } });
    await expect.poll(() => field(page).inputValue()).toBe(LETTER);
    await us.ben.call('DELETE /api/PlannedDates/{id}', { params: { id: date } });
    await unsaved(page).getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await unsaved(page).waitFor({ state: 'detached' });
    await expect.poll(() => draftsOf(page)).toEqual([]);
  });
});

/** Blocks the database of drafts from the page's next load on, by an upgrade that is not done in the end. */
async function blockDrafts(page: Page): Promise<{ open: () => Promise<unknown> }> {
  await page.addInitScript(() => {
    if (location.protocol === 'about:') return;
    const opening = indexedDB.open('outbox');
    opening.onsuccess = () => Object.assign(globalThis, { blocker: opening.result });
    const upgrade = indexedDB.open('outbox', 99);
    upgrade.onupgradeneeded = () => upgrade.transaction?.abort();
  });
  return { open: () => page.evaluate(() => (globalThis as unknown as { blocker: IDBDatabase }).blocker.close()) };
}
