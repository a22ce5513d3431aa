import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { completeDate, planDate } from '../../../../tests/support/factories.ts';
import { failCalls } from '../../../../tests/support/handle-calls.ts';
import { findIssuesAtEverySize } from '../../../../tests/support/screen-issues.ts';
import { type Couple, focus, registerUs, show, uploadPhoto } from '../../../../tests/support/screens.tsx';
import { DAY } from '../../../base/durations.ts';

const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
/** 'March 5, 2024', 'Mar 5', '3:30 PM' */
const US = new RegExp(`\\b(${MONTHS})[a-z]* \\d{1,2}\\b(?!\\d)|\\d:\\d\\d [AP]M`, 'g');
const INTERNATIONAL = new RegExp(`\\b\\d{1,2} (${MONTHS})|\\b\\d\\d:\\d\\d\\b`, 'g');
/** What the screen writes in a way. The example beside 'US' in the settings stays. */
const found = (pattern: RegExp) =>
  document.body.innerText.replace('Tuesday, March 5, 2024 · Mar 5, 2024 · 3:30 PM', '').match(pattern) ?? [];

describe('dates and times as we write them', () => {
  let us: Couple;
  let done: string;
  beforeEach(() => page.viewport(1280, 900));
  beforeAll(async () => {
    us = await registerUs();
    const idea = { title: 'The old lighthouse' };
    ({ id: done } = await completeDate(us.ada, { idea, at: Date.now() - 365 * DAY, minutes: 60, notes: 'Windy' }));
    await uploadPhoto(us.ada, done, 1, 'The stairs');
    await planDate(us.ada, { idea, at: Date.now() + 3 * DAY });
  });

  const choose = (formats: 'us' | 'international') => us.ada.call('PUT /api/auth/profile', { body: { formats } });

  const adaWithUs = () => ({ token: us.ada.token, user: { ...us.ada.user, formats: 'us' as const } });

  it.each([
    ['the dashboard', () => '/dashboard'],
    ['a completed date', () => `/planned-dates/${done}`],
    ['the memories', () => '/memories?view=list'],
    ['our story', () => '/stats'],
    ['the album on paper', () => '/print'],
  ])('change at once in %s, on each device', { tags: ['screens.words.5'] }, async (_, path) => {
    await choose('us');
    await show(path(), adaWithUs());
    await expect.poll(() => document.querySelector('main:not([aria-busy])')).not.toBeNull();
    await expect.poll(() => found(US).length).toBeGreaterThan(0);
    await choose('international');
    await expect.poll(() => found(US)).toEqual([]);
    await expect.poll(() => found(INTERNATIONAL).length).toBeGreaterThan(0);
  });

  it('are chosen by the keyboard, with an example each', { tags: ['screens.words.5'] }, async () => {
    await choose('us');
    await show('/settings', adaWithUs());
    await page.getByText('Dates and times', { exact: true }).first().click();
    const [usual, international] = [
      page.getByRole('radio', { name: 'US' }),
      page.getByRole('radio', { name: 'International' }),
    ];
    await expect.element(usual).toBeChecked();
    await expect.element(usual).toHaveAccessibleDescription('Tuesday, March 5, 2024 · Mar 5, 2024 · 3:30 PM');
    await expect.element(international).toHaveAccessibleDescription('Tuesday, 5 March 2024 · 5 Mar 2024 · 15:30');
    focus(usual);
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(page.getByText('Your dates and times are saved')).toBeInTheDocument();
    await expect.element(international).toBeChecked();
    await expect.element(international).toHaveFocus();
    expect((await us.ada.call('GET /api/auth/session')).body.user.formats).toBe('international');
    failCalls('PUT /api/auth/profile');
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(page.getByText('Failed to save your dates and times. Please try again.')).toBeInTheDocument();
    await expect.element(international).toBeChecked();
    expect(await findIssuesAtEverySize('formats')).toEqual([]);
  });
});
