import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { completeDate, planDate } from '../../../tests/support/factories.ts';
import { failCalls, repairAtClick, setTime } from '../../../tests/support/handle-calls.ts';
import { address, type Couple, registerUs, show, textsOf, uploadPhoto } from '../../../tests/support/screens.tsx';
import { DAY } from '../../base/durations.ts';

describe('the page of a date', () => {
  const now = Date.parse('2026-11-21T11:00:00Z');
  let us: Couple;
  beforeEach(async () => {
    setTime(now);
    us = await registerUs('Europe/Rome');
    await page.viewport(1280, 800);
  });
  afterEach(() => vi.useRealTimers());

  /** The texts of the actions that a date offers. */
  const actions = () => {
    const all = page.getByRole('region', { name: 'Actions' }).element().querySelectorAll('a, button');
    return [...all].map((one) => one.textContent);
  };

  it('shows when and where a completed date was, its notes and its idea', {
    tags: ['dates.details.1', 'dates.details.2', 'dates.details.3', 'dates.details.4', 'dates.details.8'],
  }, async () => {
    const date = await completeDate(us.ada, {
      idea: { title: 'Two days in Arezzo', description: 'Take the slow train.', category: 'Cultural' },
      at: '2026-10-17T08:30:00Z',
      end: '2026-10-18T14:00:00Z',
      minutes: 1825,
      location: 'Behind Piazza Grande',
      notes: 'We missed the train home on purpose.',
    });
    await show(`/planned-dates/${date.id}?completed=true`, us.ben);
    await expect.element(page.getByRole('heading', { level: 1, name: 'Two days in Arezzo' })).toBeVisible();
    await expect.element(page.getByRole('status').getByText('Completed!', { exact: false })).toBeVisible();
    await expect.poll(() => location.search).toBe('');
    const facts = () => [...document.querySelectorAll('div:has(> dt)')].map((one) => page.elementLocator(one));
    for (const [label, value] of [
      ['Date', 'Saturday, October 17, 2026'],
      ['Start time', '10:30 AM'],
      ['End time', 'Sunday, October 18, 2026, 4:00 PM'],
      ['Duration', '1 day 5 hours 30 minutes'],
      ['Location', 'Behind Piazza Grande'],
      ['Actual start', '10:30 AM'],
      ['Actual end', 'Sunday, October 18, 2026, 4:55 PM'],
      ['Actual duration', '1 day 6 hours 25 minutes'],
    ] as const)
      await expect.poll(() => facts().flatMap(textsOf)).toContain(`${label} ${value}`);
    const notes = page.getByRole('region', { name: 'Special notes' });
    await expect.element(notes.getByText('We missed the train home on purpose.')).toBeVisible();
    const idea = page.getByRole('region', { name: 'Date idea' });
    await expect
      .poll(() => textsOf(idea)[0])
      .toMatch(/Take the slow train\.[\s\S]*planned 1 time · Last planned Oct 17, 2026/);
    // A completed date has no time-until text; memories can be added, and it can be deleted.
    expect(page.getByText(/days ago/).elements()).toEqual([]);
    await expect.poll(actions).toEqual(['Add Memories', 'Delete']);
  });

  it('shows the first six photographs with the number of all, and leads to the others', {
    tags: ['dates.details.4'],
  }, async () => {
    const date = await completeDate(us.ada, { at: now - DAY, minutes: 90 });
    for (let seed = 1; seed <= 6; seed += 1) await uploadPhoto(us.ada, date.id, seed, `Picture ${seed}`);
    await show(`/planned-dates/${date.id}`, us.ben);
    const memories = page.getByRole('region', { name: 'Memories' });
    await expect.poll(() => memories.element().querySelectorAll('img')).toHaveLength(6);
    await expect.element(memories.getByText('6', { exact: true })).toBeVisible();
    expect(memories.getByRole('link', { name: 'View All' }).elements()).toEqual([]);
    // The partner's photograph arrives live. It is counted, but the card shows only six.
    await uploadPhoto(us.ada, date.id, 7, 'Picture 7');
    await expect.element(memories.getByText('7', { exact: true })).toBeVisible();
    await expect.poll(() => memories.element().querySelectorAll('img')).toHaveLength(6);
    await memories.getByRole('link', { name: 'View All' }).click();
    await expect.poll(address).toBe(`/memories?dateId=${date.id}`);
  });

  it.each([
    { of: 'the same year', at: '2026-01-01T00:30:00+01:00', day: 'Nov 21' },
    { of: 'another year', at: '2025-12-31T23:30:00+01:00', day: 'Nov 21, 2026' },
  ])(
    'shows the day of each photograph, with its year beside a date of another year: $of',
    { tags: ['dates.details.5'] },
    async ({ at, day }) => {
      const date = await completeDate(us.ada, { at, minutes: 60 });
      const { id } = await uploadPhoto(us.ada, date.id, 50, 'The fireworks');
      const taken = { takenAt: new Date(now).toISOString() };
      await us.ada.call('PUT /api/Memories/{id}', { params: { id }, body: taken });
      await page.viewport(360, 780);
      await show(`/planned-dates/${date.id}`, us.ada);
      const print = () =>
        page.getByRole('region', { name: 'Memories' }).element().querySelector('figcaption')?.innerText;
      await expect.poll(print).toMatch(new RegExp(`The fireworks\\s+${day}$`));
    },
  );

  it('starts, and offers what its status allows', {
    tags: ['dates.list.9', 'screens.controls.4', 'dates.details.1', 'dates.details.4'],
  }, async () => {
    const date = await planDate(us.ada, { idea: { title: 'The pier' }, at: now + 2 * DAY });
    await page.viewport(360, 780);
    await show(`/planned-dates/${date.id}`, us.ada);
    await expect.element(page.getByText('2 days to go')).toBeVisible();
    await expect.poll(actions).toEqual(['Start Date', 'Edit', 'Cancel Date', 'Delete']);
    await expect.element(page.getByText('No memories captured yet!')).toBeVisible();
    expect(page.getByRole('link', { name: 'Add First Memory' }).elements()).toEqual([]);
    failCalls('POST /api/PlannedDates/*/start', 1);
    await page.getByRole('button', { name: 'Start Date' }).click();
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to start date. Please try again.' });
    await failure.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: 'Start Date' }).click();
    await expect.element(page.getByText('In Progress')).toBeVisible();
    await expect.poll(actions).toEqual(['Complete', 'Add Memories', 'Delete']);
    await expect.element(page.getByRole('link', { name: 'Add First Memory' })).toBeVisible();
    await expect.poll(() => document.activeElement?.id).toBe('main');
    await page.getByRole('link', { name: 'Back to Our Dates' }).click();
    await expect.poll(address).toBe('/planned-dates');
  });

  it('shows that the partner has started it', { tags: ['dates.list.9'] }, async () => {
    const { id } = await planDate(us.ada, { at: now + 2 * DAY });
    await show(`/planned-dates/${id}`, us.ada);
    await expect.element(page.getByText('2 days to go')).toBeVisible();
    await us.ben.call('POST /api/PlannedDates/{id}/start', { params: { id } });
    await expect.element(page.getByText('In Progress')).toBeVisible();
    await expect.poll(actions).toEqual(['Complete', 'Add Memories', 'Delete']);
  });

  it('is cancelled and deleted after a question, and leads to the list', {
    tags: ['screens.controls.4', 'dates.details.6', 'dates.details.7'],
  }, async () => {
    const date = await planDate(us.ada, { idea: { title: 'Overdue walk' }, at: now - DAY });
    await uploadPhoto(us.ada, date.id, 40);
    await show(`/planned-dates/${date.id}`, us.ada);
    const dialog = page.getByRole('alertdialog');
    await page.getByRole('button', { name: 'Cancel Date' }).click();
    await expect.element(dialog.getByText('Are you sure you want to cancel this date?')).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel Date' }).click();
    await expect.element(page.getByRole('main').getByText('Cancelled', { exact: true })).toBeVisible();
    await expect.poll(() => document.activeElement?.id).toBe('main');
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect
      .element(
        dialog.getByText(
          'Are you sure you want to permanently delete this planned date? This action cannot be undone.',
        ),
      )
      .toBeVisible();
    await expect
      .element(
        dialog.getByText(
          'Its 1 memory will be deleted too. You can put ‘Overdue walk’ back from Recently deleted for 30 days.',
        ),
      )
      .toBeVisible();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(address).toBe('/planned-dates');
    await expect.element(page.getByRole('status').getByText('Our date is deleted.')).toBeVisible();
    await expect.element(page.getByRole('status').getByRole('button', { name: 'Undo' })).toBeVisible();
    await show(`/planned-dates/${date.id}`, us.ada);
    await expect.element(page.getByRole('alert').getByText('Date not found.')).toBeVisible();
  });

  it('shows an error when the details cannot be loaded', { tags: ['dates.details.7'] }, async () => {
    const date = await planDate(us.ada);
    await page.viewport(360, 780);
    const repair = failCalls(`GET /api/PlannedDates/${date.id}`);
    await show(`/planned-dates/${date.id}`, us.ada);
    await expect.element(page.getByRole('heading', { name: 'Oops!' })).toBeVisible();
    await expect.element(page.getByText('Failed to load date details. Please try again.')).toBeVisible();
    repairAtClick(repair);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(page.getByRole('heading', { level: 1, name: 'Picnic by the lake' })).toBeVisible();
    await show('/planned-dates/%20', us.ada);
    await expect.element(page.getByText('No date ID provided.')).toBeVisible();
  });
});
