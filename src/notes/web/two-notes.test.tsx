import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Caller } from '../../../tests/support/caller.ts';
import { completeDate, startDate } from '../../../tests/support/factories.ts';
import { failCalls, loseAnswers, setOffline } from '../../../tests/support/handle-calls.ts';
import { joinAsBen, registerAda } from '../../../tests/support/register-couple.ts';
import { findIssuesAtEverySize } from '../../../tests/support/screen-issues.ts';
import { type Couple, registerUs, show, uploadPhoto } from '../../../tests/support/screens.tsx';
import { DAY, HOUR } from '../../base/durations.ts';
import { findNotes } from '../../base/web/storage/words.ts';

const ADAS = 'We missed the train on purpose. Twice.';
const BENS = 'You fell asleep on my shoulder.\nI did not move.';
const LONG = `${'We talked until the street lamps went out, and then about the street lamps. '.repeat(24)}Donaudampfschifffahrtsgesellschaft`;

const section = page.getByRole('region', { name: 'What I want to remember' });
const field = section.getByRole('textbox', { name: 'My note' });
const button = (name: string) => section.getByRole('button', { name, exact: true });
const letter = (name: string) => section.getByRole('article', { name: `Note by ${name}` });
const hearts = (name: string) => section.getByRole('radio', { name });
const takingBackFailed = page.getByRole('alert').getByText('Failed to take your note back. Please try again.');

let us: Couple;
let date: string;
beforeEach(async () => {
  await page.viewport(1280, 800);
  us = await registerUs();
  const parts = { idea: { title: 'Two days in Arezzo' }, at: Date.now() - DAY, minutes: 90 };
  ({ id: date } = await completeDate(us.ada, parts));
});

const write = (who: Caller, text: string, ofFive: number | null = null, id = date) =>
  who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id }, body: { text, hearts: ofFive } });
const read = async (who: Caller) => (await who.call('GET /api/PlannedDates/{id}/notes', { params: { id: date } })).body;
/** What Ada has typed and not sealed, as this device keeps it. */
const drafts = async () => {
  const all = await findNotes('sealed');
  return all.filter(({ owner }) => owner === us.ada.user.id).map(({ typed }) => typed);
};

describe('two notes', () => {
  it('are changed and taken back while they are sealed', { tags: ['notes.11'] }, async () => {
    await write(us.ada, ADAS, 3);
    await show(`/planned-dates/${date}`, us.ada);
    await button('Change my note').click();
    await field.fill('A better one');
    await hearts('No hearts').click();
    await button('Seal my note').click();
    await expect.element(letter('Ada').getByText('A better one')).toBeVisible();
    expect((await read(us.ada)).mine).toMatchObject({ text: 'A better one', hearts: null });
    await button('Change my note').click();
    await field.fill('Or not');
    await button('Leave it as it was').click();
    await expect.element(letter('Ada').getByText('A better one')).toBeVisible();
    await button('Take it back').click();
    // The words are not lost.
    await expect.element(field).toHaveValue('A better one');
    expect(await read(us.ben)).toMatchObject({ theirsWritten: false });
  });

  it.each(['at once', 'with the next change', 'at the next visit'] as const)(
    'keep their words if the answer to taking them back is lost, and the page learns %s that they are gone',
    { tags: ['notes.11'] },
    async (when) => {
      await write(us.ada, ADAS, 3);
      await show(`/planned-dates/${date}`, us.ada);
      await expect.element(letter('Ada')).toBeVisible();
      let repair = () => {};
      // From the press on: before it, the page may ask once more when its stream opens.
      const fail = () => {
        if (when !== 'at once') repair = failCalls('GET /api/PlannedDates/*/notes');
      };
      addEventListener('click', fail, { capture: true, once: true });
      loseAnswers('DELETE /api/PlannedDates/*/notes/mine', 1);
      await button('Take it back').click();
      await expect.element(takingBackFailed).toBeVisible();
      repair();
      expect((await read(us.ada)).mine).toBeNull();
      if (when === 'with the next change') await write(us.ben, BENS);
      if (when === 'at the next visit') {
        await expect.poll(drafts).toMatchObject([{ text: ADAS, hearts: 3 }]);
        await show(`/planned-dates/${date}`, us.ada);
      }
      await expect.element(field).toHaveValue(ADAS);
      await expect.element(hearts('3 hearts')).toBeChecked();
      await show(`/planned-dates/${date}`, us.ada);
      await expect.element(field).toHaveValue(ADAS);
    },
  );

  it('are letters without a draft again if taking them back did not reach the server', {
    tags: ['notes.11'],
  }, async () => {
    await write(us.ada, ADAS, 3);
    await show(`/planned-dates/${date}`, us.ada);
    await expect.element(letter('Ada')).toBeVisible();
    failCalls('DELETE /api/PlannedDates/*/notes/mine', 2);
    await button('Take it back').click();
    await expect.element(takingBackFailed).toBeVisible();
    await expect.poll(drafts).toEqual([]);
    await expect.element(letter('Ada')).toBeVisible();
    // The page learns later that it is still there.
    const repair = failCalls('GET /api/PlannedDates/*/notes');
    await button('Take it back').click();
    await expect.poll(drafts).toMatchObject([{ text: ADAS, hearts: 3 }]);
    repair();
    await uploadPhoto(us.ben, date);
    await expect.poll(drafts).toEqual([]);
    await expect.element(letter('Ada')).toBeVisible();
  });

  it('are refused without words, and with too many', { tags: ['notes.10'] }, async () => {
    await show(`/planned-dates/${date}`, us.ada);
    await button('Seal my note').click();
    await expect.element(section.getByText('Note is required')).toBeVisible();
    await expect.element(field).toHaveFocus();
    await field.fill('x'.repeat(2001));
    await expect.element(section.getByText('Note cannot exceed 2000 characters')).toBeVisible();
    expect((await read(us.ada)).mine).toBeNull();
  });

  it('keep what is typed without a connection, until they are sealed', { tags: ['notes.12'] }, async () => {
    await show(`/planned-dates/${date}`, us.ada);
    await field.fill(ADAS);
    await hearts('4 hearts').click();
    setOffline(true);
    await button('Seal my note').click();
    await expect.element(section.getByRole('alert').getByText('What you wrote is kept on this device.')).toBeVisible();
    await expect.element(field).toHaveValue(ADAS);
    expect(await drafts()).toMatchObject([{ text: ADAS, hearts: 4 }]);
    setOffline(false);
    await button('Seal my note').click();
    await expect.element(letter('Ada').getByText(ADAS)).toBeVisible();
    await expect.poll(drafts).toEqual([]);
  });

  it('that were opened in the meantime are not changed, and the typed words are kept', {
    tags: ['datemode.10', 'notes.12'],
  }, async () => {
    await write(us.ada, ADAS);
    await show(`/planned-dates/${date}`, us.ada);
    await button('Change my note').click();
    await field.fill('What I only thought of later');
    // The page does not learn of it before it sends.
    const repair = failCalls('GET /api/PlannedDates/*/notes');
    await write(us.ben, BENS);
    repair();
    // If the page learned of it by itself, the button says so.
    await section.getByRole('button', { name: /^(Seal my note|Open both notes|Keep these words)$/ }).click();
    await expect.element(letter('Ben')).toBeVisible();
    await expect.element(letter('Ada').getByText(ADAS)).toBeVisible();
    const late = section.getByRole('region', { name: 'Not in your note' });
    const words = late.getByText('What I only thought of later');
    await expect.element(words).toBeVisible();
    await show(`/planned-dates/${date}`, us.ada);
    await expect.element(words).toBeVisible();
    await late.getByRole('button', { name: 'Discard' }).click();
    const question = page.getByRole('alertdialog', { name: 'Discard this? It has not been saved anywhere else.' });
    await question.getByRole('button', { name: 'Keep' }).click();
    await expect.element(words).toBeVisible();
    await late.getByRole('button', { name: 'Discard' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect.element(late).not.toBeInTheDocument();
    expect((await read(us.ada)).mine?.text).toBe(ADAS);
  });

  it('are one, shown as opened, without a partner', { tags: ['notes.15'] }, async () => {
    const eve = await registerAda({ url: location.origin }, `eve-${crypto.randomUUID()}@example.org`);
    const { id } = await completeDate(eve, { at: Date.now() - DAY, minutes: 5 });
    await show(`/planned-dates/${id}`, eve);
    await field.fill(ADAS);
    await button('Keep my note').click();
    await expect.element(letter('Ada').getByText(ADAS)).toBeVisible();
    expect(section.getByRole('button').elements()).toEqual([]);
    await joinAsBen({ url: location.origin }, eve, `adam-${crypto.randomUUID()}@example.org`);
    await expect.element(section.getByText('Waiting for Ben')).toBeVisible();
  });

  it('stay open for a partner whose partner leaves, and are not shown to the next one', {
    tags: ['notes.16'],
  }, async () => {
    await write(us.ada, ADAS);
    await write(us.ben, BENS);
    await show(`/planned-dates/${date}`, us.ada);
    await expect.element(letter('Ben')).toBeVisible();
    await us.ben.call('POST /api/auth/leave', { body: { currentPassword: us.ben.password } });
    const left = letter('A partner who left').getByText('I did not move.');
    await expect.element(left).toBeVisible();
    await expect.element(letter('Ada').getByText(ADAS)).toBeVisible();
    const next = await joinAsBen({ url: location.origin }, us.ada, `next-${crypto.randomUUID()}@example.org`);
    // A later partner does not become their writer.
    await show(`/planned-dates/${date}`, Object.assign(us.ada, { user: { ...us.ada.user, partner: next.user } }));
    await expect.element(left).toBeVisible();
    expect(letter('Ben').elements()).toEqual([]);
    expect(await findIssuesAtEverySize('left notes')).toEqual([]);
    await show(`/planned-dates/${date}`, next);
    const before = section.getByText('The two notes of this date were written and opened before you joined.');
    await expect.element(before).toBeVisible();
    expect([field.elements(), section.getByRole('article').elements()]).toEqual([[], []]);
    expect(document.body.textContent).not.toContain('missed the train');
  });

  it('are reached from the complete form, which says when they can be written', { tags: ['notes.17'] }, async () => {
    const { id } = await startDate(us.ada, { at: Date.now() - HOUR });
    await show(`/planned-dates/${id}/complete`, us.ada);
    await page.getByRole('link', { name: 'What I want to remember' }).click();
    await expect.element(section.getByText('When our date is completed')).toBeVisible();
    await show(`/planned-dates/${id}/complete`, us.ada);
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByRole('button', { name: 'Complete Date' }).click();
    await expect.element(field).toBeVisible();
  });

  it('show an envelope that waits before the form on a phone, and beside it on a desktop', {
    tags: ['notes.18'],
  }, async () => {
    await write(us.ben, BENS);
    await show(`/planned-dates/${date}`, us.ada);
    const envelope = section.getByRole('heading', { name: 'Ben has written. Write yours to open both.' });
    await expect.element(envelope).toBeVisible();
    // The memories above both may load between the two readings.
    const place = () => {
      const at = envelope.element().getBoundingClientRect();
      const form = section.getByRole('form', { name: 'My note' }).element().getBoundingClientRect();
      return { isAbove: at.y < form.y, isRight: at.x > form.right };
    };
    await expect.poll(place).toMatchObject({ isRight: true });
    await page.viewport(360, 780);
    await expect.poll(place).toMatchObject({ isAbove: true });
  });

  it('are accessible in all states, with long names', { tags: ['notes.19'] }, async () => {
    const displayName = 'Maximiliane-Konstanze Freifrau von Donaudampfschifffahrt'.slice(0, 50);
    for (const who of [us.ada, us.ben]) await who.call('PUT /api/auth/profile', { body: { displayName } });
    const { partner } = us.ada.user;
    const renamed = { ...us.ada.user, displayName, partner: partner && { ...partner, displayName } };
    await uploadPhoto(us.ada, date);
    const found: string[] = [];
    const look = async (state: string) => {
      await show(`/planned-dates/${date}`, Object.assign(us.ada, { user: renamed }));
      await expect.poll(() => section.element().querySelector('form, article')).not.toBeNull();
      found.push(...(await findIssuesAtEverySize(state)));
    };
    await look('nothing written');
    await write(us.ben, BENS, 2);
    await look('theirs waits');
    await us.ben.call('DELETE /api/PlannedDates/{id}/notes/mine', { params: { id: date } });
    await write(us.ada, LONG, 4);
    await look('mine is sealed');
    await write(us.ben, BENS, 2);
    await look('both open');
    expect(found).toEqual([]);
  });
});
