import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../../src/base/durations.ts';
import { answerOnce } from '../../support/answer-once.ts';
import { completeDate } from '../../support/factories.ts';
import { gotoLive, tabTo } from '../../support/page-steps.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useCouple } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';
import { keptWords } from '../stored-rows.ts';

const ADAS = 'We missed the train on purpose. Twice.';
const BENS = 'You fell asleep on my shoulder.\nI did not move.';

describe('two notes', () => {
  const us = useCouple();
  let date: string;
  beforeEach(async () => {
    const parts = { idea: { title: 'Two days in Arezzo' }, at: Date.now() - DAY, minutes: 90 };
    ({ id: date } = await completeDate(us.ada, parts));
  });

  const section = (page: Page) => page.getByRole('region', { name: 'What I want to remember' });
  const field = (page: Page) => section(page).getByRole('textbox', { name: 'My note' });
  const press = (page: Page, name: string) => section(page).getByRole('button', { name, exact: true }).click();
  const letter = (page: Page, name: string) => section(page).getByRole('article', { name: `Note by ${name}` });

  it('are written on two devices, sealed, and opened together', { tags: ['notes.9'] }, async () => {
    const [adas, bens] = [await us.open(), await us.openAs(us.ben, PHONE)];
    for (const page of [adas, bens]) await gotoLive(page, `/planned-dates/${date}`);
    await section(adas)
      .getByText('Ben has not written yet Write first. Ben learns only that a note is waiting.')
      .waitFor();
    await field(bens).waitFor();
    await field(adas).fill(ADAS);
    await section(adas).getByText('38 / 2000').waitFor();
    await section(adas).getByRole('radio', { name: '5 hearts' }).check();
    await press(adas, 'Seal my note');
    await letter(adas, 'Ada').getByText(ADAS).waitFor();
    await letter(adas, 'Ada').getByRole('img', { name: '5 of 5 hearts' }).waitFor();
    await section(adas).getByText('Waiting for Ben').waitFor();
    // Ben's page shows the envelope by itself, and nothing of the letter is on it.
    await section(bens).getByRole('heading', { name: 'Ada has written. Write yours to open both.' }).waitFor();
    await section(bens).getByRole('status').getByText('Ada has written.').waitFor({ state: 'attached' });
    expect(await bens.content()).not.toContain('missed the train');
    await field(bens).fill(BENS);
    await press(bens, 'Open both notes');
    for (const page of [bens, adas]) {
      await letter(page, 'Ada').getByText(ADAS).waitFor();
      await letter(page, 'Ben').getByText('I did not move.').waitFor();
      await section(page)
        .getByText(/^Opened on /)
        .waitFor();
      await expect.poll(() => section(page).getByRole('button').count()).toBe(0);
    }
    expect(await letter(adas, 'Ben').getByRole('img').count()).toBe(0);
  });

  it('are written with the keyboard only', { tags: ['notes.10'] }, async () => {
    const page = await us.open();
    await page.goto(`/planned-dates/${date}`);
    await tabTo(field(page));
    await page.keyboard.type(ADAS);
    await page.keyboard.press('Tab');
    // Nothing is chosen at first; the next one is the first heart.
    expect(await section(page).getByRole('radio', { name: 'No hearts' }).isChecked()).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await section(page).getByRole('radio', { name: '2 hearts' }).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await letter(page, 'Ada').waitFor();
    const { body } = await us.ada.call('GET /api/PlannedDates/{id}/notes', { params: { id: date } });
    expect(body.mine).toMatchObject({ text: ADAS, hearts: 2 });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  });

  it('are kept while they are typed, over an expired session, and never shown to the partner on the same device', {
    tags: ['notes.12'],
  }, async () => {
    const page = await us.open();
    await page.goto(`/planned-dates/${date}`);
    await field(page).fill(ADAS);
    await expect.poll(() => draftsOf(page)).toHaveLength(1);
    const signIn = async (who: typeof us.ada) => {
      await page.waitForURL((url) => url.pathname === '/auth/login');
      await page.getByLabel('Email').fill(who.email);
      await page.getByLabel('Password', { exact: true }).fill(who.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`**/planned-dates/${date}`);
    };
    const expire = async () => {
      await answerOnce(page, `PUT /api/PlannedDates/${date}/notes/mine`, { status: 401 });
      await page.context().clearCookies();
      await press(page, 'Seal my note');
    };
    await expire();
    await signIn(us.ada);
    await expect.poll(() => field(page).inputValue()).toBe(ADAS);
    await expire();
    await signIn(us.ben);
    await field(page).waitFor();
    expect(await field(page).inputValue()).toBe('');
    // It waits for her.
    await field(page).fill(BENS);
    await expect.poll(() => draftsOf(page)).toHaveLength(2);
    await expire();
    await signIn(us.ada);
    await expect.poll(() => field(page).inputValue()).toBe(ADAS);
  });

  it('are asked about before signing out, leaving or deleting the space if they have words and are not sealed', {
    tags: ['accounts.signout.6'],
  }, async () => {
    const { ada } = await registerCouple(us.app);
    const [first, second] = [
      await completeDate(ada, { at: Date.now() - DAY, minutes: 5 }),
      await completeDate(ada, { at: Date.now() - DAY, minutes: 5 }),
    ];
    const page = await us.openAs(ada);
    // Hearts alone are no words.
    await page.goto(`/planned-dates/${second.id}`);
    await section(page).getByRole('radio', { name: '4 hearts' }).check();
    await expect.poll(() => draftsOf(page)).toHaveLength(1);
    await page.goto(`/planned-dates/${first.id}`);
    await field(page).fill(ADAS);
    await expect.poll(() => draftsOf(page)).toHaveLength(2);
    await page.goto('/settings');
    const stay = async (sure: string) => {
      const question = page.getByRole('alertdialog', {
        name: `1 note has not been sealed yet. Are you sure you want to ${sure}?`,
      });
      await question.getByRole('button', { name: 'Stay' }).click();
      await question.waitFor({ state: 'detached' });
    };
    const leaving = page.getByRole('region', { name: 'Leaving' });
    for (const [opens, does, sure] of [
      ['Leave our space', 'Leave', 'leave our space'],
      ['Delete our space', 'Delete in 30 days', 'delete our space'],
    ] as const) {
      await leaving.getByRole('button', { name: opens }).click();
      await leaving.getByLabel('Your password').fill(ada.password);
      await leaving.getByRole('button', { name: does, exact: true }).click();
      await stay(sure);
      await leaving.getByRole('button', { name: 'Keep' }).click();
    }
    const signOut = page.getByRole('main').getByRole('button', { name: 'Sign out' }).first();
    await signOut.click();
    await stay('sign out');
    await page.goto(`/planned-dates/${first.id}`);
    await expect.poll(() => field(page).inputValue()).toBe(ADAS);
    // Without words it does not ask.
    await field(page).fill(' ');
    await expect.poll(() => draftsOf(page)).not.toContainEqual(expect.objectContaining({ text: ADAS }));
    await page.goto('/settings');
    await signOut.click();
    // The settings have a field 'Email' too.
    await page.waitForURL((url) => url.pathname === '/auth/login');
  });
});

/** The drafts of notes that the device keeps. */
const draftsOf = (page: Page) => keptWords(page, 'sealed');
