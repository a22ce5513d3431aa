import { describe, expect, it } from 'vitest';
import { DESKTOP, keepNotices, PHONE } from '../../support/browser.ts';
import { planDate, startDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

const MINUTE = 60_000;

/** Completing a date. */
describe('completing a date', () => {
  // 2:24 PM in Rome. The page is opened three hours and ten minutes later.
  const began = Date.parse('2026-11-21T13:24:00Z');
  const later = began + 190 * MINUTE;
  let now = began;
  const us = useCouple({ now: () => now });

  const started = async (title: string, notes?: string) => {
    now = began;
    const date = await startDate(us.ada, {
      idea: { title, category: 'Outdoor' },
      at: '2026-11-21T13:00:00Z',
      end: '2026-11-21T17:00:00Z',
      location: 'By the fountain',
      ...(notes === undefined ? {} : { notes }),
    });
    now = later;
    return date;
  };

  it('is prefilled, computes the duration, and leads to the stamped date', {
    tags: ['dates.details.8', 'dates.complete.1', 'dates.complete.2', 'dates.complete.3', 'dates.complete.4'],
  }, async () => {
    const date = await started('Flower market', 'Bring the scarf');
    const page = await us.open(PHONE);
    await page.clock.setFixedTime(later);
    await keepNotices(page);
    await page.goto(`/planned-dates/${date.id}/complete`);
    await page.getByRole('heading', { level: 1, name: 'Complete Date' }).waitFor();
    for (const part of [
      'Flower market',
      'Outdoor',
      'Saturday, November 21, 2026',
      'By the fountain',
      '2:24 PM',
      '3 hours 10 minutes so far',
      '4 hours',
    ])
      await expect.poll(() => page.getByRole('main').innerText()).toContain(part);
    const start = page.getByLabel('Actual start time');
    const end = page.getByLabel('Actual end time');
    const complete = page.getByRole('button', { name: 'Complete Date' });
    const duration = page.getByRole('status').filter({ hasText: 'Duration' });
    await expect.poll(() => start.inputValue()).toBe('2026-11-21T14:24');
    expect(await end.inputValue()).toBe('');
    await expect.poll(() => end.getAttribute('max')).toBe('2026-11-21T17:34');
    await expect.poll(() => start.getAttribute('max')).toBe('2026-11-21T17:34');
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('Bring the scarf');
    await page.getByText('leave empty to use the original start time').waitFor();
    await duration.getByText('Duration will be calculated when both times are set').waitFor();
    await expect.poll(() => complete.isDisabled()).toBe(true);
    for (const [name, value, long] of [
      ['2 hours ago', '2026-11-21T15:34', '1 hour 10 minutes'],
      ['1 hour ago', '2026-11-21T16:34', '2 hours 10 minutes'],
      ['30 minutes ago', '2026-11-21T17:04', '2 hours 40 minutes'],
      ['Now', '2026-11-21T17:34', '3 hours 10 minutes'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      await expect.poll(() => end.inputValue()).toBe(value);
      await duration.getByText(long, { exact: true }).waitFor();
    }
    await end.fill('2026-11-21T14:00');
    await page.getByText('End time must be after start time', { exact: true }).waitFor();
    await duration.getByText('Invalid duration - end time must be after start time').waitFor();
    await end.fill('');
    await page.getByText('End time is required').waitFor();
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByLabel('Notes').fill('z'.repeat(1001));
    await page.getByText('Notes cannot exceed 1000 characters').waitFor();
    await page.getByText('1001 / 1000').waitFor();
    await page.getByLabel('Notes').fill('Cake for lunch.');
    await complete.click();
    await page.waitForURL(new RegExp(`/planned-dates/${date.id}(\\?completed=true)?$`));
    await page.getByRole('status').getByText('Completed!', { exact: false }).waitFor();
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
    const page = await us.open(DESKTOP);
    await page.clock.setFixedTime(later);
    await page.goto(`/planned-dates/${date.id}/complete`);
    await page.getByLabel('Notes').fill('We laughed');
    await page.getByRole('link', { name: 'Cancel' }).click();
    const question = page.getByRole('alertdialog', {
      name: 'You have unsaved changes. Are you sure you want to leave?',
    });
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('Notes').inputValue()).toBe('We laughed');
    await page.getByLabel('Notes').fill('');
    await page.getByRole('link', { name: 'Add Photos & Memories' }).click();
    await page.waitForURL(`**/memories/upload/${date.id}?fromComplete=true`);
    await page.goBack();
    await page.getByLabel('Actual end time').waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL(`**/planned-dates/${date.id}`);
  });

  it('says that the clock of this device may be ahead when the server does not take ‘Now’', {
    tags: ['dates.complete.8'],
  }, async () => {
    const { id } = await started('Ten minutes ahead');
    const page = await us.open(PHONE);
    await page.clock.setFixedTime(later + 10 * MINUTE);
    await page.goto(`/planned-dates/${id}/complete`);
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByRole('button', { name: 'Complete Date' }).click();
    const alert = 'End time cannot be in the future. The clock of this device seems to be ahead. Please check it.';
    await page.getByRole('alert').getByText(alert).waitFor();
  });

  it('accepts only a date in progress', { tags: ['dates.complete.6'] }, async () => {
    const planned = await planDate(us.ada, { at: later + 1000 * MINUTE });
    const page = await us.open(PHONE);
    const refusal = 'This date is not currently in progress and cannot be completed.';
    await page.goto(`/planned-dates/${planned.id}/complete`);
    await page.getByRole('alert').getByText(refusal).waitFor();
    await page.goto('/planned-dates/unknown/complete');
    await page.getByRole('alert').getByText('Date not found.').waitFor();
    await page.getByRole('link', { name: 'Back to Our Dates' }).click();
    await page.waitForURL('**/planned-dates');
  });

  it('keeps what was typed after failures, and if the partner was quicker', {
    tags: ['dates.complete.6'],
  }, async () => {
    const date = await started('Waltz');
    const page = await us.open(PHONE);
    await page.clock.setFixedTime(later);
    await page.goto(`/planned-dates/${date.id}/complete`);
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByLabel('Notes').fill('The cat judged');
    const complete = page.getByRole('button', { name: 'Complete Date' });
    await page.context().setOffline(true);
    await complete.click();
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to complete date. Please try again.' });
    await failure.getByRole('button', { name: 'Dismiss' }).click();
    await page.context().setOffline(false);
    const body = { actualEndTime: new Date(later).toISOString() };
    await us.ben.call('POST /api/PlannedDates/{id}/complete', { params: { id: date.id }, body });
    await complete.click();
    await page
      .getByRole('alert')
      .getByText('This date is not currently in progress and cannot be completed.')
      .waitFor();
    expect(await page.getByLabel('Notes').inputValue()).toBe('The cat judged');
    expect(await page.getByLabel('Actual end time').inputValue()).toBe('2026-11-21T17:34');
  });

  it('keeps what was typed if the partner has deleted the date, and says so', {
    tags: ['dates.complete.7'],
  }, async () => {
    const { id } = await started('Waltz');
    const page = await us.open(PHONE);
    await page.clock.setFixedTime(later);
    await page.goto(`/planned-dates/${id}/complete`);
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByLabel('Notes').fill('The cat judged');
    await us.ben.call('DELETE /api/PlannedDates/{id}', { params: { id } });
    await page.getByRole('button', { name: 'Complete Date' }).click();
    await page.getByRole('alert').getByText('Date not found.').waitFor();
    expect(await page.getByLabel('Notes').inputValue()).toBe('The cat judged');
  });

  it("shows what the partner wrote in the meantime, and keeps one's own end time", async () => {
    const date = await started('Fort', 'Two blankets');
    const page = await us.open(DESKTOP);
    await page.clock.setFixedTime(later);
    await page.goto(`/planned-dates/${date.id}/complete`);
    await page.getByRole('button', { name: '1 hour ago' }).click();
    const body = { plannedDateTime: date.plannedDateTime, notes: 'Three blankets' };
    await us.ben.call('PUT /api/PlannedDates/{id}', { params: { id: date.id }, body });
    await page.getByRole('button', { name: 'Complete Date' }).click();
    const theirs = page.getByRole('region', { name: 'Their version' });
    await theirs.getByText('Three blankets').waitFor();
    await theirs.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('Three blankets');
    await expect.poll(() => page.getByLabel('Actual end time').inputValue()).toBe('2026-11-21T16:34');
    await page.getByRole('button', { name: 'Complete Date' }).click();
    await page.waitForURL(new RegExp(`/planned-dates/${date.id}(\\?completed=true)?$`));
    const { body: done } = await us.ada.call('GET /api/PlannedDates/{id}', { params: { id: date.id } });
    expect(done).toMatchObject({ status: 'Completed', notes: 'Three blankets' });
  });
});
