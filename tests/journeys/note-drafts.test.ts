import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectNoViolations } from '../support/accessibility.ts';
import { gotoLive } from '../support/browser.ts';
import type { Caller } from '../support/client.ts';
import { completeDate } from '../support/factories.ts';
import { useCouple } from '../support/use-app.ts';
import { countOpenForms, storedRows } from './stored-rows.ts';

const LETTER = 'The long letter, which nobody may lose.';

describe('a note that is being written', () => {
  const us = useCouple();
  let date: string;
  let path: string;
  beforeEach(async () => {
    ({ id: date } = await completeDate(us.ada, { at: Date.now() - 86_400_000, minutes: 90 }));
    path = `/planned-dates/${date}`;
  });

  const section = (page: Page) => page.getByRole('region', { name: 'What I want to remember' });
  const field = (page: Page) => section(page).getByRole('textbox', { name: 'My note' });
  const press = (page: Page, name: string) => section(page).getByRole('button', { name, exact: true }).click();
  const letter = (page: Page, name: string) => section(page).getByRole('article', { name: `Note by ${name}` });
  const unsaved = (page: Page) => page.getByRole('region', { name: 'Words that were not saved' });
  const write = (who: Caller, text: string) =>
    who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id: date }, body: { text } });
  const draftsOf = async (page: Page) => {
    const { values } = await storedRows(page, 'note-drafts', 'drafts');
    return (values as { text: string }[]).map(({ text }) => text).toSorted();
  };
  /** Expects that the form is as it was: with the words, the focus, and taking more. */
  const expectUndisturbed = async (page: Page) => {
    expect(await field(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type(' More.');
    expect(await field(page).inputValue()).toBe(`${LETTER} More.`);
  };

  const openNext = async (page: Page) => {
    const next = await page.context().newPage();
    await gotoLive(next, path);
    // By then it has read the drafts: from here on, it continues no other one.
    await field(next).waitFor();
    return next;
  };
  /** Opens two windows of the same browser with empty forms. */
  const openTwo = async () => {
    const first = await us.open();
    await gotoLive(first, path);
    await field(first).waitFor();
    return [first, await openNext(first)] as const;
  };
  /** Expects that a form begins with words, after the page has loaded. */
  const expectBegun = async (page: Page, words: string) => {
    await expect.poll(() => field(page).inputValue()).toBe(words);
  };

  it('stays when another window of the same browser seals other words', async () => {
    const [first, second] = await openTwo();
    await field(second).fill(LETTER);
    await field(first).fill('Short');
    await expect.poll(() => draftsOf(first)).toEqual(['Short', LETTER]);
    await press(first, 'Seal my note');
    await letter(first, 'Ada').getByText('Short').waitFor();
    // The first window shows what the other one has.
    await unsaved(first).getByText(LETTER).waitFor();
    await section(second).getByRole('button', { name: 'Leave it as it was' }).waitFor();
    await expectUndisturbed(second);
    await expect.poll(() => draftsOf(second)).toEqual([`${LETTER} More.`]);
    await second.reload();
    await expect.poll(() => field(second).inputValue()).toBe(`${LETTER} More.`);
    await press(second, 'Seal my note');
    await letter(second, 'Ada').getByText('More.').waitFor();
    await letter(first, 'Ada').getByText('More.').waitFor();
    await expect.poll(() => draftsOf(first)).toEqual([]);
    await expect.poll(() => unsaved(first).count()).toBe(0);
  });

  it('is in two windows what was typed in each: the next one continues the newest, and shows the other', async () => {
    const [first, second] = await openTwo();
    await field(second).fill(LETTER);
    await expect.poll(() => draftsOf(first)).toEqual([LETTER]);
    await field(first).fill('Short');
    await expect.poll(() => draftsOf(first)).toEqual(['Short', LETTER]);
    await second.close();
    await first.reload();
    await expect.poll(() => field(first).inputValue()).toBe('Short');
    await unsaved(first).getByText(LETTER).waitFor();
    await expectNoViolations(first);
    // Continuing a draft replaces it.
    await field(first).fill('Short, and sweet');
    await expect.poll(() => draftsOf(first)).toEqual(['Short, and sweet', LETTER]);
    await unsaved(first).getByRole('button', { name: 'Discard' }).click();
    await first.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await unsaved(first).waitFor({ state: 'detached' });
    await expect.poll(() => draftsOf(first)).toEqual(['Short, and sweet']);
  });

  it.each(['with', 'without'])(
    'stays when another window that began with it seals other words (%s Web Locks)',
    async (has) => {
      const first = await us.open();
      if (has === 'without')
        await first.context().addInitScript(() => Reflect.defineProperty(navigator, 'locks', { value: undefined }));
      await gotoLive(first, path);
      await field(first).fill(LETTER);
      await expect.poll(() => draftsOf(first)).toEqual([LETTER]);
      const second = await openNext(first);
      await expectBegun(second, LETTER);
      await field(second).fill('Short');
      await expect.poll(() => draftsOf(first)).toEqual(['Short', LETTER]);
      await press(second, 'Seal my note');
      await letter(second, 'Ada').getByText('Short').waitFor();
      // They are not only in the other window, which may be behind this one.
      await unsaved(second).getByText(LETTER).waitFor();
      expect(await draftsOf(second)).toEqual([LETTER]);
      await second.reload();
      await expectBegun(second, LETTER);
      await press(second, 'Leave it as it was');
      await unsaved(second).getByText(LETTER).waitFor();
      await first.reload();
      await expectBegun(first, LETTER);
      await field(first).press('End');
      await first.keyboard.type(' More.');
      await press(first, 'Seal my note');
      await letter(first, 'Ada').getByText('More.').waitFor();
      await expect.poll(() => draftsOf(first)).toEqual([]);
    },
  );

  it('stays in a window that is loaded again before another one that began with it seals other words', async () => {
    const first = await us.open();
    await gotoLive(first, path);
    await field(first).fill(LETTER);
    await expect.poll(() => draftsOf(first)).toEqual([LETTER]);
    const second = await openNext(first);
    await expectBegun(second, LETTER);
    await first.reload();
    await expectBegun(first, LETTER);
    const third = await openNext(first);
    await expectBegun(third, LETTER);
    await field(second).fill('Short');
    await expect.poll(() => draftsOf(first)).toEqual(['Short', LETTER]);
    await field(third).fill('Third');
    await expect.poll(() => draftsOf(first)).toEqual(['Short', LETTER, 'Third']);
    await press(third, 'Seal my note');
    await unsaved(third).getByText(LETTER).waitFor();
    await unsaved(third).getByText('Short').waitFor();
    await press(second, 'Seal my note');
    await letter(second, 'Ada').getByText('Short').waitFor();
    expect(await draftsOf(second)).toEqual([LETTER]);
    await first.reload();
    await expectBegun(first, LETTER);
    // The words are sealed at last, and nothing is left of them anywhere.
    await press(second, 'Take it back');
    await expectBegun(second, 'Short');
    await press(first, 'Seal my note');
    await letter(first, 'Ada').getByText(LETTER).waitFor();
    await expect.poll(() => draftsOf(first)).toEqual(['Short']);
  });

  it('is not kept without words and hearts, and gives way to words with hearts only', async () => {
    const [first, second] = await openTwo();
    await field(first).fill('S');
    await expect.poll(() => draftsOf(first)).toEqual(['S']);
    await field(first).fill('');
    await expect.poll(() => draftsOf(first)).toEqual([]);
    await field(second).fill(LETTER);
    await expect.poll(() => draftsOf(first)).toEqual([LETTER]);
    await section(first).getByRole('radio', { name: '4 hearts' }).check();
    await expect.poll(() => draftsOf(first)).toEqual(['', LETTER]);
    // Neither is deleted while its form is open.
    const third = await openNext(first);
    await expectBegun(third, LETTER);
    expect(await draftsOf(first)).toEqual(['', LETTER]);
    await second.close();
    await expect.poll(() => countOpenForms(first)).toBe(2);
    await first.reload();
    await expectBegun(first, LETTER);
    await expect.poll(() => draftsOf(first)).toEqual([LETTER]);
    await field(first).fill('');
    await section(first).getByRole('radio', { name: '4 hearts' }).check();
    await expect.poll(() => draftsOf(first)).toEqual(['']);
    await first.reload();
    await section(first).getByRole('radio', { name: '4 hearts', checked: true }).waitFor();
  });

  it('does not wait for a database that does not open, and is shown when it opens late', async () => {
    const page = await us.open();
    await gotoLive(page, path);
    await field(page).fill(LETTER);
    await expect.poll(() => draftsOf(page)).toEqual([LETTER]);
    const database = await blockDrafts(page);
    await page.reload();
    await field(page).waitFor();
    expect(await field(page).inputValue()).toBe('');
    await field(page).fill('Short');
    await database.open();
    await unsaved(page).getByText(LETTER).waitFor();
    await expect.poll(() => draftsOf(page)).toEqual(['Short', LETTER]);
    expect(await field(page).inputValue()).toBe('Short');
  });

  it('stays when another device seals other words, or both notes open', async () => {
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

  it('is shown with ‘Copy’ and ‘Discard’ when the partner deletes the date, also after a reload', async () => {
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
    expect(await draftsOf(page)).toEqual([]);
  });
});

/** Blocks the database of drafts from the page's next load on, by an upgrade that is not done in the end. */
async function blockDrafts(page: Page): Promise<{ open: () => Promise<unknown> }> {
  await page.addInitScript(() => {
    if (location.protocol === 'about:') return;
    const opening = indexedDB.open('note-drafts');
    opening.onsuccess = () => Object.assign(globalThis, { blocker: opening.result });
    const upgrade = indexedDB.open('note-drafts', 99);
    upgrade.onupgradeneeded = () => upgrade.transaction?.abort();
  });
  return { open: () => page.evaluate(() => (globalThis as unknown as { blocker: IDBDatabase }).blocker.close()) };
}
