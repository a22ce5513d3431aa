import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { planDate, startDate } from '../../../tests/support/factories.ts';
import { failCalls, loseAnswers, setOffline } from '../../../tests/support/handle-calls.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { findIssuesAtEverySize } from '../../../tests/support/screen-issues.ts';
import {
  address,
  advance,
  type Couple,
  press,
  registerUs,
  show,
  textsOf,
  uploadPhoto,
} from '../../../tests/support/screens.tsx';
import { HOUR, MINUTE } from '../../base/durations.ts';
import type { PlannedDate } from '../../dates/contract.ts';

const note = page.getByLabelText('A note, saved as we write');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const timer = (name: string | RegExp) => page.getByRole('timer', { name });

let us: Couple;
let date: PlannedDate;
let path: string;
beforeEach(async () => {
  await page.viewport(360, 780);
  us = await registerUs();
  await goOut({
    idea: { title: 'Lantern walk' },
    end: Date.now() + HOUR,
    location: 'From the cathedral down to the river',
  });
});

async function goOut(parts: object): Promise<void> {
  date = await startDate(us.ada, { at: Date.now() - HOUR, ...parts });
  path = `/planned-dates/${date.id}/now`;
}
const notesOf = async (who: Partner) =>
  (await who.call('GET /api/PlannedDates/{id}', { params: { id: date.id } })).body.notes;

/** A date in progress, alone on a dark page. */
describe('date mode', () => {
  it('is where the dashboard leads to, shows the date alone, and is left by Back', {
    tags: ['datemode.1'],
  }, async () => {
    await show('/dashboard', us.ada);
    await expect.element(page.getByRole('heading', { name: 'Our Date, Right Now' })).toBeVisible();
    expect(textsOf(page.getByRole('heading', { level: 2 }))[0]).toBe('Our Date, Right Now');
    await page.getByRole('link', { name: /Lantern walk/ }).click();
    await expect.poll(address).toBe(path);
    await expect.element(page.getByRole('heading', { level: 1, name: 'Lantern walk' })).toBeVisible();
    // A minute may pass meanwhile.
    await expect.element(timer(/^\d minutes?$/)).toBeVisible();
    await expect.element(page.getByText('planned until')).toBeVisible();
    await expect.element(page.getByText('In Progress')).toBeVisible();
    const place = page.getByRole('link', { name: 'From the cathedral down to the river' }).element();
    expect(place.getAttribute('href')).toContain(encodeURIComponent(date.location ?? ''));
    expect(place.getAttribute('rel')).toBe('noreferrer');
    expect(page.getByRole('navigation').elements()).toEqual([]);
    // Always night, whatever the device's scheme is.
    expect(getComputedStyle(document.body).colorScheme).toBe('dark');
    await button('Back').click();
    await expect.poll(address).toBe('/dashboard');
  });

  it('keeps the screen awake, also after the page was hidden', { tags: ['datemode.12'] }, async () => {
    const locks: { isReleased: boolean }[] = [];
    vi.spyOn(navigator.wakeLock, 'request').mockImplementation(async () => {
      const lock = { isReleased: false };
      locks.push(lock);
      return {
        get released() {
          return lock.isReleased;
        },
        release: async () => void (lock.isReleased = true),
      } as unknown as WakeLockSentinel;
    });
    const released = () => locks.map(({ isReleased }) => isReleased);
    await show(path, us.ada);
    await expect.poll(released).toEqual([false]);
    for (const lock of locks) lock.isReleased = true;
    document.dispatchEvent(new Event('visibilitychange'));
    await expect.poll(released).toEqual([true, false]);
    await button('Back').click();
    await expect.poll(released).toEqual([true, true]);
    vi.restoreAllMocks();
  });

  it('is accessible at three widths, with and without a place, photographs and an end', {
    tags: ['datemode.1'],
  }, async () => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7]) await uploadPhoto(us.ada, date.id, seed, `Lamp ${seed}`);
    const long = 'The slow Sunday we keep promising each other: '.repeat(4).trim();
    const plain = await startDate(us.ada, { idea: { title: long }, at: Date.now() });
    const planned = await planDate(us.ada, { idea: { title: 'Not yet' } });
    await show(path, us.ada);
    await expect.element(page.getByText('7 so far')).toBeVisible();
    const shown = () => {
      const all = page.getByRole('list', { name: 'Photographs so far' }).element().querySelectorAll('li');
      return [...all].filter((one) => one.checkVisibility()).length;
    };
    for (const [width, count] of [
      [360, 3],
      [768, 6],
      [1280, 6],
    ] as const) {
      await page.viewport(width, 800);
      await expect.poll(shown).toBe(count);
    }
    const found = await findIssuesAtEverySize('full');
    setOffline(true);
    await expect.element(page.getByText('No network here.')).toBeVisible();
    found.push(...(await findIssuesAtEverySize('offline')));
    setOffline(false);
    for (const [id, text] of [
      [plain.id, 'None yet.'],
      [planned.id, 'This date has not begun yet.'],
      ['unknown', 'Date not found.'],
    ] as const) {
      await show(`/planned-dates/${id}/now`, us.ada);
      await expect.element(page.getByText(text)).toBeVisible();
      found.push(...(await findIssuesAtEverySize(text)));
    }
    expect(found).toEqual([]);
  });
});

describe('the time of date mode', () => {
  afterEach(() => vi.useRealTimers());
  /** The minute in which the date began. */
  const minuteOfStart = () => Math.floor(Date.parse(date.actualStartTime ?? '') / MINUTE) * MINUTE;

  it('moves once a minute', { tags: ['datemode.2'] }, async () => {
    vi.useFakeTimers({
      now: minuteOfStart() + 10.5 * MINUTE,
      toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
      shouldAdvanceTime: true,
    });
    await show(path, us.ada);
    await expect.element(timer('10 minutes')).toBeVisible();
    await advance(92 * MINUTE);
    await expect.element(timer(/^1 hour 4[23] minutes$/)).toBeVisible();
  });

  it('ends at the chosen moment, once the note is saved', { tags: ['datemode.11'] }, async () => {
    vi.useFakeTimers({ now: minuteOfStart() + 90.5 * MINUTE, toFake: ['Date'] });
    await show(path, us.ada);
    await note.fill('Home at last.');
    await button('End our date').click();
    const dialog = page.getByRole('alertdialog', { name: 'When did our date end?' });
    await expect.element(dialog.getByText('1 hour 30 minutes')).toBeVisible();
    expect(textsOf(dialog.getByRole('button'))).toEqual([
      'Now',
      '30 minutes ago',
      '1 hour ago',
      'Stay a little',
      'End our date',
    ]);
    expect(await findIssuesAtEverySize('the end')).toEqual([]);
    await dialog.getByRole('button', { name: 'Stay a little' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await button('End our date').click();
    // The server's clock has not moved on: half an hour ago is still an hour ahead of it.
    await dialog.getByRole('button', { name: 'End our date' }).click();
    await expect.element(dialog.getByText('End time cannot be in the future')).toBeVisible();
    expect(await notesOf(us.ben)).toBe('Home at last.');
  });
});

describe('the note of date mode', () => {
  it('saves all words whose words are a part of the partner’s, and none twice after a lost answer', {
    tags: ['datemode.8'],
  }, async () => {
    failCalls('GET /api/events');
    await show(path, us.ada);
    await expect.element(note).toHaveValue('');
    const body = { plannedDateTime: date.plannedDateTime, notes: 'I know' };
    await us.ben.call('PUT /api/PlannedDates/{id}', { params: { id: date.id }, body });
    await note.fill('no');
    await expect.poll(() => notesOf(us.ben)).toBe('I know\nno');
    await expect.element(note).toHaveValue('I know\nno');
    loseAnswers('PUT /api/PlannedDates/*', 1);
    await press(note, 'End');
    await userEvent.keyboard(', really');
    await expect.element(page.getByText('Waits on this device until we can reach our album')).toBeVisible();
    expect(await notesOf(us.ben)).toBe('I know\nno, really');
    await userEvent.keyboard('. Yes');
    await expect.poll(() => notesOf(us.ben)).toBe('I know\nno, really. Yes');
  });

  it('has at most a thousand characters', { tags: ['datemode.8'] }, async () => {
    await show(path, us.ada);
    await note.fill('x'.repeat(1001));
    await expect.element(page.getByText('Notes cannot exceed 1000 characters')).toBeVisible();
    await expect.element(page.getByText('1001 / 1000')).toBeVisible();
  });

  it('keeps words that arrive after the partner has ended the date', { tags: ['datemode.8'] }, async () => {
    await show(path, us.ada);
    failCalls('PUT /api/PlannedDates/*');
    await note.fill('Almost lost.');
    await expect.element(page.getByText('Waits on this device until we can reach our album')).toBeVisible();
    await us.ben.call('POST /api/PlannedDates/{id}/complete', {
      params: { id: date.id },
      body: { actualEndTime: new Date().toISOString() },
    });
    await expect.element(page.getByText('Our date has ended. It is in our album now.')).toBeVisible();
    await expect.element(page.getByRole('heading', { name: 'Words that were not saved' })).toBeVisible();
    await expect.element(page.getByText('Almost lost.')).toBeVisible();
    await show(path, us.ada);
    await expect.element(page.getByText('Almost lost.')).toBeVisible();
    await button('Discard').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await expect.element(page.getByText('Almost lost.')).not.toBeInTheDocument();
  });
});

describe('the end of a date', () => {
  it('says why it cannot end a date that the partner has just deleted', { tags: ['dates.complete.7'] }, async () => {
    // The press is quicker than the live change.
    failCalls('GET /api/events');
    await show(path, us.ada);
    await button('End our date').click();
    await us.ben.call('DELETE /api/PlannedDates/{id}', { params: { id: date.id } });
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'End our date' }).click();
    await expect.element(dialog.getByRole('alert').getByText('Planned date not found')).toBeVisible();
  });
});
