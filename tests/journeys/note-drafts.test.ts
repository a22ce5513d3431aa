import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectNoViolations } from '../support/accessibility.ts';
import { gotoLive } from '../support/browser.ts';
import type { Caller } from '../support/client.ts';
import { completeDate } from '../support/factories.ts';
import { useCouple } from '../support/use-app.ts';
import { storedRows } from './stored-rows.ts';

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

  it('stays when another window of the same browser seals other words', async () => {
    const first = await us.open();
    await gotoLive(first, path);
    // By then it has read the drafts: from here on, it continues no other one.
    await field(first).waitFor();
    const second = await first.context().newPage();
    await gotoLive(second, path);
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
    const first = await us.open();
    await gotoLive(first, path);
    // By then it has read the drafts: from here on, it continues no other one.
    await field(first).waitFor();
    const second = await first.context().newPage();
    await gotoLive(second, path);
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
