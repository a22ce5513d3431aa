import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { planDate, startDate } from '../../../tests/support/factories.ts';
import { setOffline, setServerTime, setTime } from '../../../tests/support/handle-calls.ts';
import { address, type Couple, registerUs, show, textsOf } from '../../../tests/support/screens.tsx';
import { MINUTE } from '../../base/durations.ts';

/** Completing a date. */
describe('completing a date', () => {
  // 2:24 PM in Rome. The page is opened three hours and ten minutes later.
  const began = Date.parse('2026-11-21T13:24:00Z');
  const later = began + 190 * MINUTE;
  let us: Couple;
  beforeEach(async () => {
    setTime(later);
    us = await registerUs('Europe/Rome');
  });
  afterEach(() => vi.useRealTimers());

  const started = async (title: string, notes?: string) => {
    setServerTime(began);
    const date = await startDate(us.ada, {
      idea: { title, category: 'Outdoor' },
      at: '2026-11-21T13:00:00Z',
      end: '2026-11-21T17:00:00Z',
      location: 'By the fountain',
      ...(notes === undefined ? {} : { notes }),
    });
    setServerTime(later);
    return date;
  };

  const open = async ({ id }: { readonly id: string }) => {
    await page.viewport(360, 780);
    await show(`/planned-dates/${id}/complete`, us.ada);
    await expect.element(page.getByRole('heading', { level: 1, name: 'Complete Date' })).toBeVisible();
  };
  const start = page.getByLabelText('Actual start time');
  const end = page.getByLabelText('Actual end time');
  const complete = page.getByRole('button', { name: 'Complete Date' });
  const duration = page.getByRole('status').filter({ hasText: 'Duration' });

  it('has a summary, and begins with the recorded start, no end and the planned notes', {
    tags: ['dates.complete.1'],
  }, async () => {
    await open(await started('Flower market', 'Bring the scarf'));
    for (const part of [
      'Flower market',
      'Outdoor',
      'Saturday, November 21, 2026',
      'By the fountain',
      '2:24 PM',
      '3 hours 10 minutes so far',
      '4 hours',
    ])
      await expect.poll(() => textsOf(page.getByRole('main'))[0]).toContain(part);
    await expect.element(start).toHaveValue('2026-11-21T14:24');
    await expect.element(end).toHaveValue('');
    await expect.element(end).toHaveAttribute('max', '2026-11-21T17:34');
    await expect.element(start).toHaveAttribute('max', '2026-11-21T17:34');
    await expect.element(page.getByLabelText('Notes')).toHaveValue('Bring the scarf');
    await expect.element(page.getByText('leave empty to use the original start time')).toBeVisible();
    await expect.element(complete).toBeDisabled();
  });

  it('fills the end in four ways, computes the duration, and says what is wrong with either', {
    tags: ['dates.complete.2', 'dates.complete.3', 'dates.complete.4'],
  }, async () => {
    await open(await started('Flower market'));
    await expect.element(duration.getByText('Duration will be calculated when both times are set')).toBeVisible();
    for (const [name, value, long] of [
      ['2 hours ago', '2026-11-21T15:34', '1 hour 10 minutes'],
      ['1 hour ago', '2026-11-21T16:34', '2 hours 10 minutes'],
      ['30 minutes ago', '2026-11-21T17:04', '2 hours 40 minutes'],
      ['Now', '2026-11-21T17:34', '3 hours 10 minutes'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      await expect.element(end).toHaveValue(value);
      await expect.element(duration.getByText(long, { exact: true })).toBeVisible();
    }
    await end.fill('2026-11-21T14:00');
    await expect.element(page.getByText('End time must be after start time', { exact: true })).toBeVisible();
    await expect.element(duration.getByText('Invalid duration - end time must be after start time')).toBeVisible();
    await end.fill('');
    await expect.element(page.getByText('End time is required')).toBeVisible();
  });

  it('refuses long notes, and leads to the stamped date', {
    tags: ['dates.details.8', 'dates.complete.4'],
  }, async () => {
    const date = await started('Flower market', 'Bring the scarf');
    await open(date);
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByLabelText('Notes').fill('z'.repeat(1001));
    await expect.element(page.getByText('Notes cannot exceed 1000 characters')).toBeVisible();
    await expect.element(page.getByText('1001 / 1000')).toBeVisible();
    await page.getByLabelText('Notes').fill('Cake for lunch.');
    await complete.click();
    await expect.poll(address).toMatch(new RegExp(`/planned-dates/${date.id}(\\?completed=true)?$`));
    await expect.element(page.getByRole('status').getByText('Completed!', { exact: false })).toBeVisible();
    const { body } = await us.ada.call('GET /api/PlannedDates/{id}', { params: { id: date.id } });
    expect(body).toMatchObject({
      status: 'Completed',
      actualStartTime: '2026-11-21T13:24:00.000Z',
      actualEndTime: '2026-11-21T16:34:00.000Z',
      actualDuration: '3h 10m',
      notes: 'Cake for lunch.',
    });
  });

  it('asks before typed text is lost, and links to the photographs and back', {
    tags: ['dates.complete.5', 'screens.forms.1'],
  }, async () => {
    const date = await started('Lanterns');
    await page.viewport(1280, 800);
    await show(`/planned-dates/${date.id}/complete`, us.ada);
    await page.getByLabelText('Notes').fill('We laughed');
    await page.getByRole('link', { name: 'Cancel' }).click();
    const question = page.getByRole('alertdialog', {
      name: 'You have unsaved changes. Are you sure you want to leave?',
    });
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect.element(page.getByLabelText('Notes')).toHaveValue('We laughed');
    await page.getByLabelText('Notes').fill('');
    await page.getByRole('link', { name: 'Add Photos & Memories' }).click();
    await expect.poll(address).toBe(`/memories/upload/${date.id}?fromComplete=true`);
    history.back();
    await expect.element(page.getByLabelText('Actual end time')).toBeVisible();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect.poll(address).toBe(`/planned-dates/${date.id}`);
  });

  it('says that the clock of this device may be ahead when the server does not take ‘Now’', {
    tags: ['dates.complete.8'],
  }, async () => {
    const { id } = await started('Ten minutes ahead');
    await page.viewport(360, 780);
    vi.setSystemTime(later + 10 * MINUTE);
    await show(`/planned-dates/${id}/complete`, us.ada);
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByRole('button', { name: 'Complete Date' }).click();
    const alert = 'End time cannot be in the future. The clock of this device seems to be ahead. Please check it.';
    await expect.element(page.getByRole('alert').getByText(alert)).toBeVisible();
  });

  it('accepts only a date in progress', { tags: ['dates.complete.6'] }, async () => {
    const planned = await planDate(us.ada, { at: later + 1000 * MINUTE });
    await page.viewport(360, 780);
    const refusal = 'This date is not currently in progress and cannot be completed.';
    await show(`/planned-dates/${planned.id}/complete`, us.ada);
    await expect.element(page.getByRole('alert').getByText(refusal)).toBeVisible();
    await show('/planned-dates/unknown/complete', us.ada);
    await expect.element(page.getByRole('alert').getByText('Date not found.')).toBeVisible();
    await page.getByRole('link', { name: 'Back to Our Dates' }).click();
    await expect.poll(address).toBe('/planned-dates');
  });

  it('keeps what was typed after failures, and if the partner was quicker', {
    tags: ['dates.complete.6'],
  }, async () => {
    const date = await started('Waltz');
    await page.viewport(360, 780);
    await show(`/planned-dates/${date.id}/complete`, us.ada);
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByLabelText('Notes').fill('The cat judged');
    const complete = page.getByRole('button', { name: 'Complete Date' });
    setOffline(true);
    await complete.click();
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to complete date. Please try again.' });
    await failure.getByRole('button', { name: 'Dismiss' }).click();
    setOffline(false);
    const body = { actualEndTime: new Date(later).toISOString() };
    await us.ben.call('POST /api/PlannedDates/{id}/complete', { params: { id: date.id }, body });
    await complete.click();
    await expect
      .element(page.getByRole('alert').getByText('This date is not currently in progress and cannot be completed.'))
      .toBeVisible();
    await expect.element(page.getByLabelText('Notes')).toHaveValue('The cat judged');
    await expect.element(page.getByLabelText('Actual end time')).toHaveValue('2026-11-21T17:34');
  });

  it('keeps what was typed if the partner has deleted the date, and says so', {
    tags: ['dates.complete.7'],
  }, async () => {
    const { id } = await started('Waltz');
    await page.viewport(360, 780);
    await show(`/planned-dates/${id}/complete`, us.ada);
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByLabelText('Notes').fill('The cat judged');
    await us.ben.call('DELETE /api/PlannedDates/{id}', { params: { id } });
    await page.getByRole('button', { name: 'Complete Date' }).click();
    await expect.element(page.getByRole('alert').getByText('Date not found.')).toBeVisible();
    await expect.element(page.getByLabelText('Notes')).toHaveValue('The cat judged');
  });

  it("shows what the partner wrote in the meantime, and keeps one's own end time", async () => {
    const date = await started('Fort', 'Two blankets');
    await page.viewport(1280, 800);
    await show(`/planned-dates/${date.id}/complete`, us.ada);
    await page.getByRole('button', { name: '1 hour ago' }).click();
    const body = { plannedDateTime: date.plannedDateTime, notes: 'Three blankets' };
    await us.ben.call('PUT /api/PlannedDates/{id}', { params: { id: date.id }, body });
    await page.getByRole('button', { name: 'Complete Date' }).click();
    const theirs = page.getByRole('region', { name: 'Their version' });
    await expect.element(theirs.getByText('Three blankets')).toBeVisible();
    await theirs.getByRole('button', { name: 'Take theirs' }).click();
    await expect.element(page.getByLabelText('Notes')).toHaveValue('Three blankets');
    await expect.element(page.getByLabelText('Actual end time')).toHaveValue('2026-11-21T16:34');
    await page.getByRole('button', { name: 'Complete Date' }).click();
    await expect.poll(address).toMatch(new RegExp(`/planned-dates/${date.id}(\\?completed=true)?$`));
    const { body: done } = await us.ada.call('GET /api/PlannedDates/{id}', { params: { id: date.id } });
    expect(done).toMatchObject({ status: 'Completed', notes: 'Three blankets' });
  });
});
