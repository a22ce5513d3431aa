import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { completeDate } from '../../../tests/support/factories.ts';
import {
  addPhoto,
  type Couple,
  failCalls,
  findIssuesAtEverySize,
  registerUs,
  show,
} from '../../../tests/support/screens.tsx';
import { DAY } from '../../base/time.ts';

const ago = page.getByRole('heading', { name: /^A year ago/ });
const layDown = page.getByRole('button', { name: "Don't show this again" });
const undo = page.getByRole('button', { name: 'Undo' });
const isShown = page.getByRole('switch', { name: 'Show when we look back' });

let us: Couple;
let id: string;
let year: number;
beforeEach(async () => {
  await page.viewport(1280, 800);
  us = await registerUs();
  const at = Date.now() - 365 * DAY;
  year = new Date(at).getUTCFullYear();
  ({ id } = await completeDate(us.ada, { idea: { title: 'The old lighthouse' }, at, minutes: 60 }));
  await addPhoto(us.ada, id, 1, 'The stairs');
});

const lookBackOf = async (who: Couple['ada']) =>
  (await who.call('GET /api/PlannedDates/{id}', { params: { id } })).body.lookBack;

it('a year ago is laid face down by the keyboard, and can be taken up again', {
  tags: ['dates.lookback.2'],
}, async () => {
  await show('/dashboard', us.ada);
  await expect.element(ago).toBeVisible();
  await layDown.click();
  await expect.element(undo).toHaveFocus();
  expect(ago.elements()).toEqual([]);
  await expect.poll(() => lookBackOf(us.ada)).toBe(false);
  expect(await lookBackOf(us.ben)).toBe(true);
  expect(await findIssuesAtEverySize('face down')).toEqual([]);
  await undo.click();
  await expect.element(ago).toBeVisible();
  await expect.poll(() => lookBackOf(us.ada)).toBe(true);
});

it('a year ago stays as it was if that can not be saved', { tags: ['dates.lookback.2'] }, async () => {
  await show('/dashboard', us.ada);
  failCalls('PUT /api/PlannedDates/*/look-back');
  await layDown.click();
  await expect.element(page.getByText('Failed to save this. Please try again.')).toBeVisible();
  await expect.element(ago).toBeVisible();
});

it('a date left out on another device goes from this one at once, and not from the partner’s', {
  tags: ['dates.lookback.1', 'dates.lookback.2'],
}, async () => {
  await show('/dashboard', us.ada);
  await expect.element(ago).toBeVisible();
  await us.ada.call('PUT /api/PlannedDates/{id}/look-back', { params: { id }, body: { shown: false } });
  await expect.poll(() => ago.elements()).toEqual([]);
  await show('/dashboard', us.ben);
  await expect.element(ago).toBeVisible();
});

it('the details say whether to look back, and the year’s photographs follow', {
  tags: ['dates.lookback.2'],
}, async () => {
  await show(`/planned-dates/${id}`, us.ada);
  await expect.element(isShown).toBeChecked();
  await isShown.click();
  await expect.element(isShown).not.toBeChecked();
  await expect.poll(() => lookBackOf(us.ada)).toBe(false);
  await us.ada.call('PUT /api/PlannedDates/{id}/look-back', { params: { id }, body: { shown: true } });
  await expect.element(isShown).toBeChecked();
  const photographs = async (who: Couple['ada']) =>
    (await who.call('GET /api/Stats/years/{year}', { params: { year: String(year) } })).body.photographs.length;
  expect(await photographs(us.ada)).toBe(1);
  failCalls('PUT /api/PlannedDates/*/look-back', 1);
  await isShown.click();
  await expect.element(page.getByText('Failed to save this. Please try again.')).toBeVisible();
  await expect.element(isShown).toBeChecked();
  await isShown.click();
  await expect.poll(() => photographs(us.ada)).toBe(0);
  expect(await photographs(us.ben)).toBe(1);
  expect(await findIssuesAtEverySize('look back')).toEqual([]);
});
