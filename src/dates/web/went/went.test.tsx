import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { planDate } from '../../../../tests/support/factories.ts';
import { failCalls, holdCalls, setTime } from '../../../../tests/support/handle-calls.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { findIssues, findIssuesAtEverySize } from '../../../../tests/support/screen-issues.ts';
import { advance, clickAtOnce, press, registerUs, show, textsOf } from '../../../../tests/support/screens.tsx';
import { HOUR } from '../../../base/durations.ts';

/** 'We went!' on an overdue date, with 'Undo' and 'Change the times'. */
describe('‘We went!’', () => {
  // Noon of Saturday in Rome.
  const now = Date.parse('2026-11-21T11:00:00Z');
  beforeEach(() => setTime(now));
  afterEach(() => vi.useRealTimers());
  const CLOCK = ['Date', 'setTimeout', 'clearTimeout'] as const;

  /** A couple with a date that was planned for the day before yesterday, from 8 to 8:45 in the evening in Rome. */
  const overdue = async () => {
    const couple = await registerUs('Europe/Rome');
    const at = Date.parse('2026-11-19T19:00:00Z');
    const date = await planDate(couple.ada, { idea: { title: 'Waltz' }, at, end: at + 0.75 * HOUR, notes: 'Slowly' });
    return { ...couple, date };
  };
  const list = async (who: Partner) => {
    await page.viewport(1280, 800);
    await show('/planned-dates', who);
    await expect.element(button('We went!')).toBeVisible();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const message = () => page.getByRole('group', { name: 'We went!' });
  const ticket = () => page.getByRole('article').filter({ hasText: 'Waltz' });
  const stateOf = async (who: Partner, id: string) =>
    (await who.call('GET /api/PlannedDates/{id}', { params: { id } })).body;

  it('stamps the ticket at once, and Undo brings it back', { tags: ['dates.went.6'] }, async () => {
    const { ada, ben, date } = await overdue();
    await list(ada);
    expect(textsOf(ticket().getByRole('button'))).toEqual(['We went!', 'Start Date', 'Delete']);
    // The ticket changes before the server has answered.
    const held = holdCalls('POST /api/PlannedDates/*/went');
    await button('We went!').click();
    await expect.element(ticket().getByText('Completed')).toBeVisible();
    await expect.element(message().getByText(/^\w+day, 8:00 PM to 8:45 PM, as planned$/)).toBeVisible();
    // It stays while it has the pointer.
    await message().hover();
    held.release();
    await expect
      .poll(() => stateOf(ben, date.id))
      .toMatchObject({ status: 'Completed', actualDuration: '45m', notes: 'Slowly' });

    await message().getByRole('button', { name: 'Undo' }).click();
    await expect.element(ticket().getByText('Overdue')).toBeVisible();
    expect(message().elements()).toEqual([]);
    await expect.poll(() => stateOf(ben, date.id)).toEqual(date);
  });

  it('is followed by a message of ten seconds, which stays while it has the pointer', {
    tags: ['dates.went.7'],
  }, async () => {
    const { ada } = await overdue();
    await list(ada);
    vi.useFakeTimers({ now, toFake: [...CLOCK] });
    clickAtOnce(button('We went!'));
    await expect.element(message()).toBeVisible();
    // Each second begins when the one before is shown. The hover takes time too.
    for (let second = 1; second <= 5; second += 1) await advance(1_000);
    await message().hover();
    await advance(30_000);
    expect(message().elements()).toHaveLength(1);
    await page.getByRole('heading', { level: 1 }).hover();
    for (let second = 1; second <= 6; second += 1) await advance(1_000);
    expect(message().elements()).toEqual([]);
  });

  it('takes the focus to its message on the keyboard, and Undo gives it back', { tags: ['dates.went.7'] }, async () => {
    const { ada } = await overdue();
    await list(ada);
    vi.useFakeTimers({ now, toFake: [...CLOCK] });
    await press(button('We went!'), 'Enter');
    const focused = () => document.activeElement?.textContent ?? '';
    // The button has its first words.
    await expect.poll(focused).toMatch(/^We went!.+ as planned/);
    await advance(30_000);
    await userEvent.keyboard('{Tab}');
    await expect.poll(focused).toBe('Undo');
    await userEvent.keyboard('{Tab}');
    await expect.poll(focused).toBe('Change the times');
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
    await userEvent.keyboard('{Enter}');
    await expect.element(ticket().getByText('Overdue')).toBeVisible();
    await expect.poll(focused).toBe('We went!');
  });

  it('changes the times, and keeps what was chosen if that fails', { tags: ['dates.went.8'] }, async () => {
    const { ada, date } = await overdue();
    await page.viewport(360, 780);
    await show(`/planned-dates/${date.id}`, ada);
    await button('We went!').click();
    await message().getByRole('button', { name: 'Change the times' }).click();
    const dialog = page.getByRole('dialog', { name: 'When were we out?' });
    const end = dialog.getByLabelText('Actual end time');
    const day = date.plannedDateTime.slice(0, 10);
    await expect.element(end).toHaveValue(`${day}T20:45`);
    await end.fill(`${day}T19:00`);
    await expect.element(dialog.getByText('End time must be after start time', { exact: true })).toBeVisible();
    await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await end.fill(`${day}T23:10`);
    await expect.element(dialog.getByText('3 hours 10 minutes')).toBeVisible();
    expect(await findIssues('the times')).toEqual([]);
    failCalls(`PUT /api/PlannedDates/${date.id}/record`, 1);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog.getByText('Failed to save the times. Please try again.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(page.getByRole('definition').filter({ hasText: '3 hours 10 minutes' })).toBeVisible();
    const saved = await stateOf(ada, date.id);
    expect(saved).toMatchObject({ status: 'Completed', actualDuration: '3h 10m', notes: 'Slowly' });
  });

  it('leaves the date as it was completed if the times are not changed after all', {
    tags: ['dates.went.8'],
  }, async () => {
    const { ada, date } = await overdue();
    await show(`/planned-dates/${date.id}`, ada);
    await button('We went!').click();
    await message().getByRole('button', { name: 'Change the times' }).click();
    const dialog = page.getByRole('dialog', { name: 'When were we out?' });
    await expect.element(dialog).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(ticket().getByText('Completed')).toBeVisible();
    await expect.poll(async () => (await stateOf(ada, date.id)).actualDuration).toBe('45m');
  });

  it('changes the times only, and keeps what the partner writes meanwhile', { tags: ['dates.went.8'] }, async () => {
    const { ada, ben, date } = await overdue();
    await show(`/planned-dates/${date.id}`, ada);
    await button('We went!').click();
    await message().getByRole('button', { name: 'Change the times' }).click();
    const dialog = page.getByRole('dialog', { name: 'When were we out?' });
    await expect.poll(async () => (await stateOf(ben, date.id)).status).toBe('Completed');
    const { plannedDateTime: actualStartTime, endDateTime } = date;
    await ben.call('PUT /api/PlannedDates/{id}/record', {
      params: { id: date.id },
      body: { actualStartTime, actualEndTime: endDateTime ?? '', notes: 'Slowly, and twice' },
    });
    await dialog.getByLabelText('Actual end time').fill(`${date.plannedDateTime.slice(0, 10)}T23:10`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(await stateOf(ada, date.id)).toMatchObject({ actualDuration: '3h 10m', notes: 'Slowly, and twice' });
  });

  it('says so if the partner was faster, and shows what the partner did', { tags: ['dates.went.6'] }, async () => {
    const { ada, ben, date } = await overdue();
    await list(ada);
    const held = holdCalls('POST /api/PlannedDates/*/went');
    await button('We went!').click();
    await expect.element(message()).toBeVisible();
    await ben.call('POST /api/PlannedDates/{id}/start', { params: { id: date.id } });
    held.release();
    await expect
      .element(page.getByRole('alert').getByText('Only a planned date can be completed with ‘We went!’.'))
      .toBeVisible();
    await expect.element(ticket().getByText('In Progress')).toBeVisible();
    expect(message().elements()).toEqual([]);
  });

  it('is accessible, on a phone in the dark too', { tags: ['dates.went.7'] }, async () => {
    const { ada } = await overdue();
    await list(ada);
    expect(await findIssuesAtEverySize('overdue')).toEqual([]);
    // It stays while it has the focus.
    await press(button('We went!'), 'Enter');
    await expect.element(message()).toBeVisible();
    expect(await findIssuesAtEverySize('the message')).toEqual([]);
  });
});
