import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { completeDate } from '../../../../tests/support/factories.ts';
import { failCalls, loseAnswers } from '../../../../tests/support/handle-calls.ts';
import { findIssuesAtEverySize } from '../../../../tests/support/screen-issues.ts';
import { type Couple, makePhoto, registerUs, show } from '../../../../tests/support/screens.tsx';
import { findUnsent } from '../queue/unsent-store.ts';

const titles = page.getByLabelText('What did we do?');
const strip = (day: string) => page.getByRole('listitem', { name: day });
const party = strip('Saturday, June 1, 2019');
const swim = strip('Tuesday, August 11, 2020');
const hike = strip('Monday, May 3, 2021');
const titleOf = (outing: Locator) => outing.getByLabelText('What did we do?');
const addOne = (outing: Locator) => outing.getByRole('button', { name: 'Add This Date' });

const elementOf = (target: Locator) => target.element() as HTMLElement;
const topOf = (target: Locator) => elementOf(target).getBoundingClientRect().top;
const hasFocus = (target: Locator) => elementOf(target) === document.activeElement;

let us: Couple;

const ourTitles = async () =>
  (await us.ada.call('GET /api/PlannedDates')).body.map(({ dateIdea }) => dateIdea.title).toSorted();

/** A couple's three outings on a phone. */
async function chooseThreeOutings(): Promise<void> {
  us = await registerUs('UTC');
  await page.viewport(360, 740);
  await show('/memories/upload', us.ada);
  await userEvent.upload(page.getByLabelText('Choose photos'), [
    await makePhoto('hike.jpg', { seed: 3, takenAt: '2021:05:03 10:00:00' }),
    await makePhoto('party-1.jpg', { seed: 1, takenAt: '2019:06:01 21:03:00' }),
    await makePhoto('party-2.jpg', { seed: 2, takenAt: '2019:06:02 01:12:00' }),
    await makePhoto('swim.jpg', { seed: 4, takenAt: '2020:08:11 10:00:00' }),
  ]);
  await expect.poll(() => titles.elements().length).toBe(3);
}
async function removeAll(): Promise<void> {
  await page.getByRole('button', { name: 'Remove All' }).click();
  await expect.element(page.getByText('Drag and drop, or click to browse')).toBeVisible();
}
beforeEach(chooseThreeOutings);
afterEach(removeAll);

describe('outings', () => {
  it('are named one after the other by Enter, each in the same place of the screen', {
    tags: ['uploads.outings.4'],
  }, async () => {
    elementOf(titleOf(party)).focus();
    await userEvent.keyboard('The garden party');
    const top = topOf(titleOf(party));
    for (const [outing, words] of [
      [swim, 'A swim'],
      [hike, 'The long way up'],
    ] as const) {
      await userEvent.keyboard('{Enter}');
      await expect.poll(() => hasFocus(titleOf(outing))).toBe(true);
      expect(Math.abs(topOf(titleOf(outing)) - top)).toBeLessThan(2);
      await userEvent.keyboard(words);
    }
    await expect.element(titleOf(hike)).toHaveAttribute('enterkeyhint', 'done');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Add 3 Dates' }))).toBe(true);
    expect(page.getByRole('alert').elements()).toHaveLength(0);
    expect(await ourTitles()).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('3 dates added to our story.')).toBeVisible();
    expect(await ourTitles()).toEqual(['A swim', 'The garden party', 'The long way up']);
  });

  it('leave the field above the keyboard, also the next one', { tags: ['uploads.outings.4'] }, async () => {
    elementOf(titleOf(party)).focus();
    // The keyboard shrinks the page.
    await page.viewport(360, 420);
    for (const outing of [party, swim, hike]) {
      await expect.poll(() => hasFocus(titleOf(outing))).toBe(true);
      await expect
        .poll(() => {
          const bar = document.querySelector('[data-ui="save-bar"]')?.getBoundingClientRect().top ?? 0;
          const { top, bottom } = elementOf(titleOf(outing)).getBoundingClientRect();
          return top >= 0 && bottom <= bar;
        })
        .toBe(true);
      await userEvent.keyboard('{Enter}');
    }
    await page.viewport(360, 740);
  });

  it('lead to the next one when one is added, from the last one to the one before, and in the end to the page', {
    tags: ['uploads.outings.4'],
  }, async () => {
    await titleOf(party).fill('The garden party');
    elementOf(addOne(party)).scrollIntoView({ block: 'center' });
    const top = topOf(titleOf(party));
    await addOne(party).click();
    await expect.poll(() => hasFocus(titleOf(swim))).toBe(true);
    await expect.poll(() => Math.abs(topOf(titleOf(swim)) - top)).toBeLessThan(2);
    for (const [outing, next] of [
      [hike, titleOf(swim)],
      [swim, page.getByRole('main')],
    ] as const) {
      await titleOf(outing).fill('A day');
      await addOne(outing).click();
      await expect.poll(() => hasFocus(next)).toBe(true);
    }
    expect(await ourTitles()).toEqual(['A day', 'A day', 'The garden party']);
  });

  it('leave the focus on the page when all that have a title are added', { tags: ['uploads.outings.4'] }, async () => {
    await titleOf(swim).fill('A swim');
    await page.getByRole('button', { name: 'Add 1 Date' }).click();
    await expect.element(swim).not.toBeInTheDocument();
    await expect.poll(() => hasFocus(page.getByRole('main'))).toBe(true);
    await expect.element(titleOf(party)).toBeVisible();
  });

  it('stay when another one of their day is added', { tags: ['uploads.outings.2'] }, async () => {
    await userEvent.upload(page.getByLabelText('Choose photos'), [
      await makePhoto('dinner.jpg', { seed: 5, takenAt: '2020:08:11 20:00:00' }),
    ]);
    const dinner = swim.nth(1);
    await titleOf(dinner).fill('Dinner by the lake');
    await titleOf(swim.first()).fill('A swim');
    await addOne(swim.first()).click();
    // Once the page knows the new date.
    await expect.poll(() => page.getByRole('option', { name: /A swim/ }).elements().length).toBeGreaterThan(0);
    expect(page.getByText(/^We found the date of/).elements()).toEqual([]);
    await expect.element(titleOf(swim)).toHaveValue('Dinner by the lake');
    await addOne(swim).click();
    await expect.poll(ourTitles).toEqual(['A swim', 'Dinner by the lake']);
  });

  it('show the fault of the one that was to be added, not of one above it', {
    tags: ['uploads.outings.5'],
  }, async () => {
    await party.getByLabelText('Location').fill('y'.repeat(301));
    await addOne(swim).click();
    await expect.element(swim.getByText('Please say what we did')).toBeVisible();
    await expect.poll(() => hasFocus(titleOf(swim))).toBe(true);
  });

  it('say what is missing or too long, and are not added then', { tags: ['uploads.outings.5'] }, async () => {
    await addOne(swim).click();
    await expect.element(swim.getByText('Please say what we did')).toBeVisible();
    await expect.poll(() => hasFocus(titleOf(swim))).toBe(true);
    await titleOf(swim).fill('x'.repeat(201));
    await expect.element(swim.getByText('Title cannot exceed 200 characters')).toBeVisible();
    await expect.element(swim.getByText('201 / 200')).toBeVisible();
    await titleOf(party).fill('The garden party');
    await party.getByLabelText('Location').fill('y'.repeat(301));
    await expect.element(party.getByText('Location must be 300 characters or less')).toBeVisible();
    await page.getByRole('button', { name: 'Add 2 Dates' }).click();
    await expect.poll(() => hasFocus(party.getByLabelText('Location'))).toBe(true);
    expect(await findIssuesAtEverySize('outings with faults')).toEqual([]);
    await page.viewport(360, 740);
    expect(await ourTitles()).toEqual([]);
    await titleOf(swim).fill('A swim');
    await party.getByLabelText('Location').fill('At Nora’s');
    await page.getByRole('button', { name: 'Add 2 Dates' }).click();
    await expect.element(page.getByText('2 dates added to our story.')).toBeVisible();
    expect(await ourTitles()).toEqual(['A swim', 'The garden party']);
  });

  it('keep what was written if the connection breaks, and a retry adds one date', {
    tags: ['uploads.outings.3'],
  }, async () => {
    await titleOf(swim).fill('A swim');
    const repair = failCalls('POST /api/PlannedDates/past');
    await addOne(swim).click();
    await expect.element(page.getByRole('alert').getByText('What you wrote is still here.')).toBeVisible();
    await expect.element(titleOf(swim)).toHaveValue('A swim');
    repair();
    await addOne(swim).click();
    await expect.element(page.getByText('1 date added to our story.')).toBeVisible();
    expect(await ourTitles()).toEqual(['A swim']);
  });

  it('become one date if only the answer was lost, although the new idea is known by then', {
    tags: ['uploads.outings.3'],
  }, async () => {
    await titleOf(swim).fill('A swim');
    loseAnswers('POST /api/PlannedDates/past', 1);
    await addOne(swim).click();
    await expect.element(page.getByRole('alert').getByText('What you wrote is still here.')).toBeVisible();
    await expect.element(swim.getByText('One of our ideas.')).toBeVisible();
    await addOne(swim).click();
    await expect.element(page.getByText('1 date added to our story.')).toBeVisible();
    expect(await ourTitles()).toEqual(['A swim']);
  });

  it('of the same title belong to one idea', { tags: ['uploads.outings.2'] }, async () => {
    for (const outing of [party, swim, hike]) await titleOf(outing).fill('Dinner at home');
    await page.getByRole('button', { name: 'Add 3 Dates' }).click();
    await expect.element(page.getByText('3 dates added to our story.')).toBeVisible();
    const { body: ideas } = await us.ada.call('GET /api/DateIdeas');
    expect(ideas.map(({ title, plannedDatesCount }) => [title, plannedDatesCount])).toEqual([['Dinner at home', 3]]);
  });

  it('have a stamp with the day as we write it', { tags: ['screens.words.5'] }, async () => {
    await us.ada.call('PUT /api/auth/profile', { body: { formats: 'international' } });
    const outing = strip('Saturday, 1 June 2019');
    await titleOf(outing).fill('The garden party');
    await expect.element(outing.getByText('1 Jun', { exact: true })).toBeInTheDocument();
  });

  it('are shown for photographs whose proposed date is refused, also after the page was left', {
    tags: ['uploads.outings.1', 'uploads.outings.6'],
  }, async () => {
    await completeDate(us.ben, { idea: { title: 'Breakfast' }, at: '2020-08-11T05:00:00Z', minutes: 60 });
    await expect.element(page.getByText('We found the date of 1 photo')).toBeVisible();
    await expect.element(swim).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Not now' }).click();
    await expect.element(swim).toBeVisible();
    await expect.poll(async () => (await findUnsent(us.ada.user.id)).filter((one) => one.isUnproposed).length).toBe(1);
    await show('/memories/upload', us.ada);
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect.element(swim).toBeVisible();
    expect(page.getByText('We found the date of 1 photo').elements()).toEqual([]);
  });
});
