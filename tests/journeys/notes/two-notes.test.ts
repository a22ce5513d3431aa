import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { findIssuesAtEverySize } from '../../support/accessibility.ts';
import { answerOnce } from '../../support/answer-once.ts';
import { DESKTOP, gotoLive, PHONE, tabTo } from '../../support/browser.ts';
import { type Caller, joinAsBen, registerAda, registerCouple } from '../../support/client.ts';
import { addPhoto, completeDate, startDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';
import { keptWords } from '../stored-rows.ts';

const ADAS = 'We missed the train on purpose. Twice.';
const BENS = 'You fell asleep on my shoulder.\nI did not move.';
const LONG = `${'We talked until the street lamps went out, and then about the street lamps. '.repeat(24)}Donaudampfschifffahrtsgesellschaft`;

describe('two notes', () => {
  const us = useCouple();
  let date: string;
  beforeEach(async () => {
    const parts = { idea: { title: 'Two days in Arezzo' }, at: Date.now() - 86_400_000, minutes: 90 };
    ({ id: date } = await completeDate(us.ada, parts));
  });

  const section = (page: Page) => page.getByRole('region', { name: 'What I want to remember' });
  const field = (page: Page) => section(page).getByRole('textbox', { name: 'My note' });
  const press = (page: Page, name: string) => section(page).getByRole('button', { name, exact: true }).click();
  const letter = (page: Page, name: string) => section(page).getByRole('article', { name: `Note by ${name}` });
  /** The typed note; null without its form. */
  const valueOf = async (page: Page) => ((await field(page).count()) === 0 ? null : field(page).inputValue());
  const write = (who: Caller, text: string, hearts: number | null = null) =>
    who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id: date }, body: { text, hearts } });
  const read = async (who: Caller) =>
    (await who.call('GET /api/PlannedDates/{id}/notes', { params: { id: date } })).body;

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
      expect(await section(page).getByRole('button').count()).toBe(0);
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
    expect((await read(us.ada)).mine).toMatchObject({ text: ADAS, hearts: 2 });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  });

  it('are changed and taken back while they are sealed', { tags: ['notes.11'] }, async () => {
    await write(us.ada, ADAS, 3);
    const page = await us.open();
    await page.goto(`/planned-dates/${date}`);
    await press(page, 'Change my note');
    await field(page).fill('A better one');
    await section(page).getByRole('radio', { name: 'No hearts' }).check();
    await press(page, 'Seal my note');
    await letter(page, 'Ada').getByText('A better one').waitFor();
    expect((await read(us.ada)).mine).toMatchObject({ text: 'A better one', hearts: null });
    await press(page, 'Change my note');
    await field(page).fill('Or not');
    await press(page, 'Leave it as it was');
    await letter(page, 'Ada').getByText('A better one').waitFor();
    await press(page, 'Take it back');
    // The words are not lost.
    await expect.poll(() => field(page).inputValue()).toBe('A better one');
    expect(await read(us.ben)).toMatchObject({ theirsWritten: false });
  });

  it.each(['at once', 'with the next change', 'after a reload'] as const)(
    'keep their words if the answer to taking them back is lost, and the page learns %s that they are gone',
    { tags: ['notes.11'] },
    async (when) => {
      await write(us.ada, ADAS, 3);
      const page = await us.open();
      await gotoLive(page, `/planned-dates/${date}`);
      await letter(page, 'Ada').waitFor();
      if (when !== 'at once') await page.route(`**/api/PlannedDates/${date}/notes`, (route) => route.abort());
      await answerOnce(page, `DELETE /api/PlannedDates/${date}/notes/mine`, 'lost');
      await press(page, 'Take it back');
      await page.getByRole('alert').getByText('Failed to take your note back. Please try again.').waitFor();
      expect((await read(us.ada)).mine).toBeNull();
      await page.unroute(`**/api/PlannedDates/${date}/notes`);
      if (when === 'with the next change') await write(us.ben, BENS);
      if (when === 'after a reload') {
        await expect.poll(() => draftsOf(page)).toMatchObject([{ text: ADAS, hearts: 3 }]);
        await page.reload();
      }
      await expect.poll(() => valueOf(page)).toBe(ADAS);
      expect(await section(page).getByRole('radio', { name: '3 hearts' }).isChecked()).toBe(true);
      await page.reload();
      await expect.poll(() => valueOf(page)).toBe(ADAS);
    },
  );

  it('are letters without a draft again if taking them back did not reach the server', {
    tags: ['notes.11'],
  }, async () => {
    await write(us.ada, ADAS, 3);
    const page = await us.open();
    await gotoLive(page, `/planned-dates/${date}`);
    await letter(page, 'Ada').waitFor();
    const fail = async () => {
      await answerOnce(page, `DELETE /api/PlannedDates/${date}/notes/mine`, 'cut');
      await press(page, 'Take it back');
    };
    await fail();
    await page.getByRole('alert').getByText('Failed to take your note back. Please try again.').waitFor();
    await expect.poll(() => draftsOf(page)).toEqual([]);
    await letter(page, 'Ada').waitFor();
    // The page learns later that it is still there.
    await page.route(`**/api/PlannedDates/${date}/notes`, (route) => route.abort());
    await fail();
    await expect.poll(() => draftsOf(page)).toMatchObject([{ text: ADAS, hearts: 3 }]);
    await page.unroute(`**/api/PlannedDates/${date}/notes`);
    await addPhoto(us.ben, date, 1);
    await expect.poll(() => draftsOf(page)).toEqual([]);
    await letter(page, 'Ada').waitFor();
  });

  it('are refused without words, and with too many', { tags: ['notes.10'] }, async () => {
    const page = await us.open();
    await page.goto(`/planned-dates/${date}`);
    await press(page, 'Seal my note');
    await section(page).getByText('Note is required').waitFor();
    expect(await field(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await field(page).fill('x'.repeat(2001));
    await section(page).getByText('Note cannot exceed 2000 characters').waitFor();
    expect((await read(us.ada)).mine).toBeNull();
  });

  it('are kept while they are typed: over a reload, and without a connection', { tags: ['notes.12'] }, async () => {
    const page = await us.open();
    await page.goto(`/planned-dates/${date}`);
    await field(page).fill(ADAS);
    await section(page).getByRole('radio', { name: '4 hearts' }).check();
    await expect.poll(() => draftsOf(page)).toMatchObject([{ text: ADAS, hearts: 4 }]);
    await page.reload();
    await expect.poll(() => field(page).inputValue()).toBe(ADAS);
    expect(await section(page).getByRole('radio', { name: '4 hearts' }).isChecked()).toBe(true);
    await page.context().setOffline(true);
    await press(page, 'Seal my note');
    await section(page).getByRole('alert').getByText('What you wrote is kept on this device.').waitFor();
    expect(await field(page).inputValue()).toBe(ADAS);
    await page.context().setOffline(false);
    await press(page, 'Seal my note');
    await letter(page, 'Ada').getByText(ADAS).waitFor();
    await expect.poll(() => draftsOf(page)).toEqual([]);
    await page.reload();
    await letter(page, 'Ada').getByText(ADAS).waitFor();
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
      await completeDate(ada, { at: Date.now() - 86_400_000, minutes: 5 }),
      await completeDate(ada, { at: Date.now() - 86_400_000, minutes: 5 }),
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
    await expect.poll(() => valueOf(page)).toBe(ADAS);
    // Without words it does not ask.
    await field(page).fill(' ');
    await expect.poll(() => draftsOf(page)).not.toContainEqual(expect.objectContaining({ text: ADAS }));
    await page.goto('/settings');
    await signOut.click();
    // The settings have a field 'Email' too.
    await page.waitForURL((url) => url.pathname === '/auth/login');
  });

  it('that were opened in the meantime are not changed, and the typed words are kept', {
    tags: ['datemode.10', 'notes.12'],
  }, async () => {
    await write(us.ada, ADAS);
    const page = await us.open();
    await page.goto(`/planned-dates/${date}`);
    await press(page, 'Change my note');
    await field(page).fill('What I only thought of later');
    // The page does not learn of it before it sends.
    await page.route('**/api/PlannedDates/*/notes', (route) => route.abort());
    await write(us.ben, BENS);
    await page.unroute('**/api/PlannedDates/*/notes');
    // If the page learned of it by itself, the button says so.
    await section(page)
      .getByRole('button', { name: /^(Seal my note|Open both notes|Keep these words)$/ })
      .click();
    await letter(page, 'Ben').waitFor();
    await letter(page, 'Ada').getByText(ADAS).waitFor();
    const late = section(page).getByRole('region', { name: 'Not in your note' });
    await late.getByText('What I only thought of later').waitFor();
    await page.reload();
    await late.getByText('What I only thought of later').waitFor();
    await late.getByRole('button', { name: 'Discard' }).click();
    const question = page.getByRole('alertdialog', { name: 'Discard this? It has not been saved anywhere else.' });
    await question.getByRole('button', { name: 'Keep' }).click();
    await late.getByText('What I only thought of later').waitFor();
    await late.getByRole('button', { name: 'Discard' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await late.waitFor({ state: 'detached' });
    expect((await read(us.ada)).mine?.text).toBe(ADAS);
  });

  it('are one, shown as opened, without a partner', { tags: ['notes.15'] }, async () => {
    const eve = await registerAda(us.app, `eve-${crypto.randomUUID()}@example.org`);
    const { id } = await completeDate(eve, { at: Date.now() - 86_400_000, minutes: 5 });
    const page = await us.openAs(eve);
    await gotoLive(page, `/planned-dates/${id}`);
    await field(page).fill(ADAS);
    await press(page, 'Keep my note');
    await letter(page, 'Ada').getByText(ADAS).waitFor();
    expect(await section(page).getByRole('button').count()).toBe(0);
    await joinAsBen(us.app, eve, `adam-${crypto.randomUUID()}@example.org`);
    await section(page).getByText('Waiting for Ben').waitFor();
  });

  it('stay open for a partner whose partner leaves, and are not shown to the next one', {
    tags: ['notes.16'],
  }, async () => {
    const eve = await registerAda(us.app, `eve-${crypto.randomUUID()}@example.org`);
    const former = await joinAsBen(us.app, eve, `adam-${crypto.randomUUID()}@example.org`);
    const { id } = await completeDate(eve, { at: Date.now() - 86_400_000, minutes: 5 });
    const body = (text: string) => ({ params: { id }, body: { text } });
    await eve.call('PUT /api/PlannedDates/{id}/notes/mine', body(ADAS));
    await former.call('PUT /api/PlannedDates/{id}/notes/mine', body(BENS));
    const page = await us.openAs(eve);
    await gotoLive(page, `/planned-dates/${id}`);
    await letter(page, 'Ben').waitFor();
    await former.call('POST /api/auth/leave', { body: { currentPassword: former.password } });
    await letter(page, 'A partner who left').getByText('I did not move.').waitFor();
    await letter(page, 'Ada').getByText(ADAS).waitFor();
    const next = await joinAsBen(us.app, eve, `next-${crypto.randomUUID()}@example.org`);
    // A later partner does not become their writer.
    await page.reload();
    await letter(page, 'A partner who left').getByText('I did not move.').waitFor();
    expect(await letter(page, 'Ben').count()).toBe(0);
    expect(await findIssuesAtEverySize(page, 'left notes')).toEqual([]);
    const hers = await us.openAs(next);
    await gotoLive(hers, `/planned-dates/${id}`);
    await section(hers).getByText('The two notes of this date were written and opened before you joined.').waitFor();
    expect([await valueOf(hers), await section(hers).getByRole('article').count()]).toEqual([null, 0]);
    expect(await hers.content()).not.toContain('missed the train');
  });

  it('are reached from the complete form, which says when they can be written', { tags: ['notes.17'] }, async () => {
    const { id } = await startDate(us.ada, { at: Date.now() - 3_600_000 });
    const page = await us.open();
    await page.goto(`/planned-dates/${id}/complete`);
    await page.getByRole('link', { name: 'What I want to remember' }).click();
    await section(page).getByText('When our date is completed').waitFor();
    await page.goto(`/planned-dates/${id}/complete`);
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByRole('button', { name: 'Complete Date' }).click();
    await field(page).waitFor();
  });

  it('show an envelope that waits before the form on a phone, and beside it on a desktop', {
    tags: ['notes.18'],
  }, async () => {
    await write(us.ben, BENS);
    const open = async (options: typeof PHONE) => {
      const page = await us.open(options);
      await page.goto(`/planned-dates/${date}`);
      const form = section(page).getByRole('form', { name: 'My note' });
      const envelope = section(page).getByRole('heading', { name: 'Ben has written. Write yours to open both.' });
      return async () => {
        const [at, beside] = [await envelope.boundingBox(), await form.boundingBox()];
        return at && beside && { isAbove: at.y < beside.y, isRight: at.x > beside.x + beside.width };
      };
    };
    // The memories above both may load between the two readings.
    await expect.poll(await open(PHONE)).toMatchObject({ isAbove: true });
    await expect.poll(await open(DESKTOP)).toMatchObject({ isRight: true });
  });

  it('are accessible in all states, with long names', { tags: ['notes.19'] }, async () => {
    const name = 'Maximiliane-Konstanze Freifrau von Donaudampfschifffahrt';
    for (const who of [us.ada, us.ben])
      await who.call('PUT /api/auth/profile', { body: { displayName: name.slice(0, 50) } });
    await addPhoto(us.ada, date, 1);
    const page = await us.open();
    const found: string[] = [];
    const look = async (state: string) => {
      await page.goto(`/planned-dates/${date}`);
      await section(page).locator('form, article').first().waitFor();
      found.push(...(await findIssuesAtEverySize(page, state)));
    };
    await look('nothing written');
    await write(us.ben, BENS, 2);
    await look('theirs waits');
    await us.ben.call('DELETE /api/PlannedDates/{id}/notes/mine', { params: { id: date } });
    await write(us.ada, LONG, 4);
    await look('mine is sealed');
    await write(us.ben, BENS, 2);
    await look('both open');
    for (const who of [us.ada, us.ben])
      await who.call('PUT /api/auth/profile', { body: { displayName: who.user.displayName } });
    expect(found).toEqual([]);
  });
});

/** The drafts of notes that the device keeps. */
const draftsOf = (page: Page) => keptWords(page, 'sealed');
