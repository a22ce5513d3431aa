import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { completeDate, planDate, startDate } from '../../../tests/support/factories.ts';
import { failCalls, refuseCalls, repairAtClick, setTime } from '../../../tests/support/handle-calls.ts';
import { address, type Couple, registerUs, show, textsOf } from '../../../tests/support/screens.tsx';
import { DAY, HOUR } from '../../base/durations.ts';

describe('the form of a planned date', () => {
  const now = Date.parse('2026-11-21T11:00:00Z');
  let us: Couple;
  beforeEach(async () => {
    setTime(now);
    us = await registerUs('Europe/Rome');
    await page.viewport(1280, 800);
  });
  afterEach(() => vi.useRealTimers());

  /** Opens the form of a date with an idea and a place, on a phone. @returns the id of the date */
  const openEditForm = async () => {
    const date = await planDate(us.ada, {
      idea: { title: 'Risotto', category: 'Food' },
      at: '2026-12-01T18:30:00Z',
      location: 'At home',
    });
    await page.viewport(360, 780);
    await show(`/planned-dates/${date.id}/edit`, us.ada);
    await expect.element(page.getByRole('heading', { level: 1, name: 'Edit Date' })).toBeVisible();
    return date.id;
  };

  it('opens with the title, status and time of the date, which quick fills change', {
    tags: ['dates.edit.1', 'dates.edit.2'],
  }, async () => {
    await openEditForm();
    const start = page.getByLabelText('Date and time');
    await expect.poll(() => textsOf(page.getByRole('article').first())[0]).toMatch(/Upcoming[\s\S]*Risotto/);
    await expect.element(start).toHaveValue('2026-12-01T19:30');
    expect(start.element().getAttribute('min')).toBeNull();
    for (const [name, value] of [
      ['Today 7 PM', '2026-11-21T19:00'],
      ['Tomorrow 7 PM', '2026-11-22T19:00'],
      ['This Sat 2 PM', '2026-11-28T14:00'],
      ['Next Week 7 PM', '2026-11-28T19:00'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await expect.element(start).toHaveValue(value);
    }
  });

  it('has messages and limits of its own', { tags: ['dates.edit.1'] }, async () => {
    await openEditForm();
    const start = page.getByLabelText('Date and time');
    await start.fill('');
    await expect.element(page.getByText('Planned date and time is required')).toBeVisible();
    await start.fill('2026-11-28T19:00');
    await page.getByLabelText('End time').fill('2026-11-28T18:00');
    await expect.element(page.getByText('End time must be after start time')).toBeVisible();
    await page.getByLabelText('End time').fill('');
    await page.getByLabelText('Location').fill('x'.repeat(301));
    await expect.element(page.getByText('Location must be 300 characters or less')).toBeVisible();
    await expect.element(page.getByText('301/300')).toBeVisible();
    await page.getByLabelText('Location').fill('');
    await page.getByLabelText('Notes').fill('y'.repeat(1001));
    await expect.element(page.getByText('Notes must be 1000 characters or less')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Save Changes' })).toBeDisabled();
  });

  it('keeps what could not be saved, and saves it at the next try', {
    tags: ['dates.list.16', 'dates.edit.3', 'dates.edit.4'],
  }, async () => {
    const id = await openEditForm();
    const save = page.getByRole('button', { name: 'Save Changes' });
    await page.getByLabelText('Date and time').fill('2026-11-28T19:00');
    await page.getByLabelText('Location').fill('');
    await page.getByLabelText('Notes').fill('Saffron.');
    const edit = `PUT /api/PlannedDates/${id}` as const;
    failCalls(edit, 1);
    await save.click();
    const banner = page.getByRole('alert').filter({ hasText: 'Failed to update planned date. Please try again.' });
    await banner.getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(banner).not.toBeInTheDocument();
    refuseCalls(edit, 503, 'Out of ink.', 1);
    await save.click();
    await expect.element(page.getByRole('alert').getByText('Out of ink.')).toBeVisible();
    await expect.element(page.getByLabelText('Notes')).toHaveValue('Saffron.');
    await save.click();
    await expect.poll(address).toMatch(/\/planned-dates(\?updated=true)?$/);
    await expect.element(page.getByRole('status').getByText('Our date is updated.')).toBeVisible();
    const { body } = await us.ada.call('GET /api/PlannedDates/{id}', { params: { id } });
    expect(body).toMatchObject({ plannedDateTime: '2026-11-28T18:00:00.000Z', location: null, notes: 'Saffron.' });
  });

  it('leads to the list on Cancel', { tags: ['dates.edit.4'] }, async () => {
    await openEditForm();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect.poll(address).toBe('/planned-dates');
  });

  it('says that a completed date cannot be edited', { tags: ['dates.edit.3'] }, async () => {
    const { id } = await completeDate(us.ada, { idea: { title: 'Lantern walk' }, at: now - DAY, minutes: 90 });
    await show(`/planned-dates/${id}/edit`, us.ada);
    await expect.element(page.getByRole('heading', { name: 'Cannot Edit This Date' })).toBeVisible();
    await expect.element(page.getByText('This date cannot be edited because it has been completed.')).toBeVisible();
  });

  it('says that a date is not there, or cannot be loaded', { tags: ['dates.edit.3'] }, async () => {
    const { id } = await startDate(us.ada, { idea: { title: 'Market' }, at: now - HOUR });
    await show('/planned-dates/unknown/edit', us.ada);
    await expect.element(page.getByRole('alert').getByText('Planned date not found')).toBeVisible();
    await show('/planned-dates/%20/edit', us.ada);
    await expect.element(page.getByText('No planned date ID provided')).toBeVisible();
    const load = `GET /api/PlannedDates/${id}` as const;
    const repair = refuseCalls(load, 500);
    await show(`/planned-dates/${id}/edit`, us.ada);
    await expect.element(page.getByText('Failed to load planned date details')).toBeVisible();
    let repairAgain = () => {};
    repairAtClick(() => {
      repair();
      repairAgain = refuseCalls(load, 500, 'Torn.');
    });
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(page.getByText('Torn.')).toBeVisible();
    repairAtClick(repairAgain);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(page.getByLabelText('Notes')).toBeVisible();
  });

  it('keeps what is typed if the partner completes the date meanwhile, and says why it is not saved', {
    tags: ['dates.edit.3'],
  }, async () => {
    const { id } = await startDate(us.ada, { idea: { title: 'Market' }, at: now - HOUR });
    await show(`/planned-dates/${id}/edit`, us.ada);
    await page.getByLabelText('Notes').fill('Tulips');
    const body = { actualEndTime: new Date(now + 60_000).toISOString() };
    await us.ben.call('POST /api/PlannedDates/{id}/complete', { params: { id }, body });
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect.element(page.getByRole('alert').getByText('Cannot edit a completed date')).toBeVisible();
    await expect.element(page.getByLabelText('Notes')).toHaveValue('Tulips');
  });

  it('shows both versions of a stale edit and asks which to keep', { tags: ['dates.edit.4'] }, async () => {
    const date = await planDate(us.ada, {
      idea: { title: 'Train' },
      at: '2026-12-04T20:40:00Z',
      location: 'Platform 8',
    });
    await page.viewport(360, 780);
    const location = page.getByLabelText('Location');
    const theirs = page.getByRole('region', { name: 'Their version' });
    const benWrites = (to: string) =>
      us.ben.call('PUT /api/PlannedDates/{id}', {
        params: { id: date.id },
        body: { plannedDateTime: date.plannedDateTime, location: to },
      });
    await show(`/planned-dates/${date.id}/edit`, us.ada);
    await location.fill('Platform 9');
    await benWrites('Platform 10');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect.element(theirs.getByText('Platform 10')).toBeVisible();
    await expect.element(location).toHaveValue('Platform 9');
    await theirs.getByRole('button', { name: 'Take theirs' }).click();
    await expect.element(location).toHaveValue('Platform 10');
    await location.fill('Platform 11');
    await benWrites('Platform 12');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await theirs.getByRole('button', { name: 'Overwrite' }).click();
    await expect.poll(address).toMatch(/\/planned-dates(\?updated=true)?$/);
    const { body } = await us.ada.call('GET /api/PlannedDates/{id}', { params: { id: date.id } });
    expect(body.location).toBe('Platform 11');
  });
});
