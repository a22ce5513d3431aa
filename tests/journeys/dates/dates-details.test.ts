import { describe, expect, it } from 'vitest';
import { answerOnce } from '../../support/answer-once.ts';
import { DESKTOP, focusedId, gotoLive, keepNotices, PHONE } from '../../support/browser.ts';
import { addPhoto, completeDate, planDate, startDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A date's details and its edit form. */
describe('a planned date', () => {
  const now = Date.parse('2026-11-21T11:00:00Z');
  const us = useCouple({ now: () => now });

  it('shows all details of a completed date', {
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
    for (let seed = 1; seed <= 6; seed += 1) await addPhoto(us.ada, date.id, seed, `Picture ${seed}`);
    const page = await us.openAs(us.ben, DESKTOP);
    await page.clock.setFixedTime(now);
    await keepNotices(page);
    await gotoLive(page, `/planned-dates/${date.id}?completed=true`);
    await page.getByRole('heading', { level: 1, name: 'Two days in Arezzo' }).waitFor();
    await page.getByRole('status').getByText('Completed!', { exact: false }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    const fact = (label: string) => page.locator('div:has(> dt)').filter({ hasText: new RegExp(`^${label}`) });
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
      expect((await fact(label).first().innerText()).replace(/\s+/g, ' ')).toBe(`${label} ${value}`);
    const notes = page.getByRole('region', { name: 'Special notes' });
    await notes.getByText('We missed the train home on purpose.').waitFor();
    const idea = page.getByRole('region', { name: 'Date idea' });
    await expect
      .poll(() => idea.innerText())
      .toMatch(/Take the slow train\.[\s\S]*planned 1 time · Last planned Oct 17, 2026/);
    const memories = page.getByRole('region', { name: 'Memories' });
    await expect.poll(() => memories.locator('img').count()).toBe(6);
    await memories.getByText('6', { exact: true }).waitFor();
    expect(await memories.getByRole('link', { name: 'View All' }).count()).toBe(0);
    // The partner's photograph arrives live. It is counted, but the card shows only six.
    await addPhoto(us.ada, date.id, 7, 'Picture 7');
    await memories.getByText('7', { exact: true }).waitFor();
    await expect.poll(() => memories.locator('img').count()).toBe(6);
    // A completed date has no time-until text; memories can be added, and it can be deleted.
    expect(await page.getByText(/days ago/).count()).toBe(0);
    const actions = page.getByRole('region', { name: 'Actions' });
    await expect.poll(() => actions.locator('a, button').allInnerTexts()).toEqual(['Add Memories', 'Delete']);
    await memories.getByRole('link', { name: 'View All' }).click();
    await page.waitForURL(`**/memories?dateId=${date.id}`);
  });

  it.each([
    { of: 'the same year', at: '2026-01-01T00:30:00+01:00', day: 'Nov 21' },
    { of: 'another year', at: '2025-12-31T23:30:00+01:00', day: 'Nov 21, 2026' },
  ])(
    'shows the day of each photograph, with its year beside a date of another year: $of',
    { tags: ['dates.details.5'] },
    async ({ at, day }) => {
      const date = await completeDate(us.ada, { at, minutes: 60 });
      const { id } = await addPhoto(us.ada, date.id, 50, 'The fireworks');
      const taken = { takenAt: new Date(now).toISOString() };
      await us.ada.call('PUT /api/Memories/{id}', { params: { id }, body: taken });
      const page = await us.open(PHONE);
      await page.clock.setFixedTime(now);
      await page.goto(`/planned-dates/${date.id}`);
      const print = page.getByRole('region', { name: 'Memories' }).locator('figcaption');
      await expect.poll(() => print.innerText()).toMatch(new RegExp(`The fireworks\\s+${day}$`));
    },
  );

  it('starts for both partners, and offers what its status allows', {
    tags: ['dates.list.9', 'screens.controls.4', 'dates.details.1', 'dates.details.4'],
  }, async () => {
    const date = await planDate(us.ada, { idea: { title: 'The pier' }, at: now + 2 * DAY });
    const page = await us.open(PHONE);
    const other = await us.openAs(us.ben, { ...DESKTOP, name: 'Ben' });
    for (const one of [page, other]) {
      await one.clock.setFixedTime(now);
      await gotoLive(one, `/planned-dates/${date.id}`);
      await one.getByText('2 days to go').waitFor();
    }
    const names = (one: typeof page) =>
      one.getByRole('region', { name: 'Actions' }).locator('a, button').allInnerTexts();
    await expect.poll(() => names(page)).toEqual(['Start Date', 'Edit', 'Cancel Date', 'Delete']);
    await page.getByText('No memories captured yet!').waitFor();
    expect(await page.getByRole('link', { name: 'Add First Memory' }).count()).toBe(0);
    await answerOnce(page, 'POST /api/PlannedDates/*/start', 'cut');
    await page.getByRole('button', { name: 'Start Date' }).click();
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to start date. Please try again.' });
    await failure.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: 'Start Date' }).click();
    for (const one of [page, other]) {
      await one.getByText('In Progress').waitFor();
      await expect.poll(() => names(one)).toEqual(['Complete', 'Add Memories', 'Delete']);
      await one.getByRole('link', { name: 'Add First Memory' }).waitFor();
    }
    await expect.poll(() => focusedId(page)).toBe('main');
    await page.getByRole('link', { name: 'Back to Our Dates' }).click();
    await page.waitForURL('**/planned-dates');
  });

  it('is cancelled and deleted after a question, and leads to the list', {
    tags: ['screens.controls.4', 'dates.details.6', 'dates.details.7'],
  }, async () => {
    const date = await planDate(us.ada, { idea: { title: 'Overdue walk' }, at: now - DAY });
    await addPhoto(us.ada, date.id, 40);
    const page = await us.open(DESKTOP);
    await page.clock.setFixedTime(now);
    await keepNotices(page);
    await page.goto(`/planned-dates/${date.id}`);
    const dialog = page.getByRole('alertdialog');
    await page.getByRole('button', { name: 'Cancel Date' }).click();
    await dialog.getByText('Are you sure you want to cancel this date?').waitFor();
    await dialog.getByRole('button', { name: 'Cancel Date' }).click();
    await page.getByRole('main').getByText('Cancelled', { exact: true }).waitFor();
    await expect.poll(() => focusedId(page)).toBe('main');
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog
      .getByText('Are you sure you want to permanently delete this planned date? This action cannot be undone.')
      .waitFor();
    await dialog.getByText('Its 1 memory will be deleted too.', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/planned-dates');
    await page.getByRole('status').getByText('Our date is deleted.').waitFor();
    await page.goto(`/planned-dates/${date.id}`);
    await page.getByRole('alert').getByText('Date not found.').waitFor();
  });

  it('shows an error when the details cannot be loaded', { tags: ['dates.details.7', 'dates.edit.4'] }, async () => {
    const date = await planDate(us.ada);
    const page = await us.open(PHONE);
    await answerOnce(page, `GET /api/PlannedDates/${date.id}`, 'cut');
    await page.goto(`/planned-dates/${date.id}`);
    await page.getByRole('heading', { name: 'Oops!' }).waitFor();
    await page.getByText('Failed to load date details. Please try again.').waitFor();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Picnic by the lake' }).waitFor();
    await page.goto(`/planned-dates/${date.id}/edit`);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL('**/planned-dates');
    await page.goto('/planned-dates/%20');
    await page.getByText('No date ID provided.').waitFor();
  });

  it('edits a date, with its own messages and limits', {
    tags: ['dates.list.16', 'dates.edit.1', 'dates.edit.2', 'dates.edit.3', 'dates.edit.4'],
  }, async () => {
    const date = await planDate(us.ada, {
      idea: { title: 'Risotto', category: 'Food' },
      at: '2026-12-01T18:30:00Z',
      location: 'At home',
    });
    const page = await us.open(PHONE);
    await page.clock.setFixedTime(now);
    await keepNotices(page);
    await page.goto(`/planned-dates/${date.id}/edit`);
    const start = page.getByLabel('Date and time');
    const save = page.getByRole('button', { name: 'Save Changes' });
    await page.getByRole('heading', { level: 1, name: 'Edit Date' }).waitFor();
    await expect.poll(() => page.getByRole('article').first().innerText()).toMatch(/Upcoming[\s\S]*Risotto/);
    await expect.poll(() => start.inputValue()).toBe('2026-12-01T19:30');
    expect(await start.getAttribute('min')).toBeNull();
    for (const [name, value] of [
      ['Today 7 PM', '2026-11-21T19:00'],
      ['Tomorrow 7 PM', '2026-11-22T19:00'],
      ['This Sat 2 PM', '2026-11-28T14:00'],
      ['Next Week 7 PM', '2026-11-28T19:00'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await expect.poll(() => start.inputValue()).toBe(value);
    }
    await start.fill('');
    await page.getByText('Planned date and time is required').waitFor();
    await start.fill('2026-11-28T19:00');
    await page.getByLabel('End time').fill('2026-11-28T18:00');
    await page.getByText('End time must be after start time').waitFor();
    await page.getByLabel('End time').fill('');
    await page.getByLabel('Location').fill('x'.repeat(301));
    await page.getByText('Location must be 300 characters or less').waitFor();
    await page.getByText('301/300').waitFor();
    await page.getByLabel('Location').fill('');
    await page.getByLabel('Notes').fill('y'.repeat(1001));
    await page.getByText('Notes must be 1000 characters or less').waitFor();
    await expect.poll(() => save.isDisabled()).toBe(true);
    await page.getByLabel('Notes').fill('Saffron.');

    const edit = `PUT /api/PlannedDates/${date.id}`;
    await answerOnce(page, edit, 'cut');
    await save.click();
    const banner = page.getByRole('alert').filter({ hasText: 'Failed to update planned date. Please try again.' });
    await banner.getByRole('button', { name: 'Dismiss' }).click();
    await banner.waitFor({ state: 'detached' });
    await answerOnce(page, edit, { status: 503, json: { message: 'Out of ink.' } });
    await save.click();
    await page.getByRole('alert').getByText('Out of ink.').waitFor();
    expect(await page.getByLabel('Notes').inputValue()).toBe('Saffron.');
    await save.click();
    await page.waitForURL(/\/planned-dates(\?updated=true)?$/);
    await page.getByRole('status').getByText('Our date is updated.').waitFor();
    const { body } = await us.ada.call('GET /api/PlannedDates/{id}', { params: { id: date.id } });
    expect(body).toMatchObject({ plannedDateTime: '2026-11-28T18:00:00.000Z', location: null, notes: 'Saffron.' });
  });

  it('cannot be edited in every status, and says why', { tags: ['dates.edit.3'] }, async () => {
    const over = await completeDate(us.ada, { idea: { title: 'Lantern walk' }, at: now - DAY, minutes: 90 });
    const running = await startDate(us.ada, { idea: { title: 'Market' }, at: now - HOUR });
    const page = await us.open(DESKTOP);
    await page.goto(`/planned-dates/${over.id}/edit`);
    await page.getByRole('heading', { name: 'Cannot Edit This Date' }).waitFor();
    await page.getByText('This date cannot be edited because it has been completed.').waitFor();
    await page.goto('/planned-dates/unknown/edit');
    await page.getByRole('alert').getByText('Planned date not found').waitFor();
    await page.goto('/planned-dates/%20/edit');
    await page.getByText('No planned date ID provided').waitFor();
    const load = `GET /api/PlannedDates/${running.id}`;
    await answerOnce(page, load, { status: 500 });
    await page.goto(`/planned-dates/${running.id}/edit`);
    await page.getByText('Failed to load planned date details').waitFor();
    await answerOnce(page, load, { status: 500, json: { message: 'Torn.' } });
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText('Torn.').waitFor();
    await page.getByRole('button', { name: 'Try Again' }).click();
    // The partner completes it while the form is open: the typed text stays, and the page says why it can't save.
    await page.getByLabel('Notes').fill('Tulips');
    const body = { actualEndTime: new Date(now + 60_000).toISOString() };
    await us.ben.call('POST /api/PlannedDates/{id}/complete', { params: { id: running.id }, body });
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByRole('alert').getByText('Cannot edit a completed date').waitFor();
    expect(await page.getByLabel('Notes').inputValue()).toBe('Tulips');
  });

  it('shows both versions of a stale edit and asks which to keep', { tags: ['dates.edit.4'] }, async () => {
    const date = await planDate(us.ada, {
      idea: { title: 'Train' },
      at: '2026-12-04T20:40:00Z',
      location: 'Platform 8',
    });
    const page = await us.open(PHONE);
    const location = page.getByLabel('Location');
    const theirs = page.getByRole('region', { name: 'Their version' });
    const benWrites = (to: string) =>
      us.ben.call('PUT /api/PlannedDates/{id}', {
        params: { id: date.id },
        body: { plannedDateTime: date.plannedDateTime, location: to },
      });
    await page.goto(`/planned-dates/${date.id}/edit`);
    await location.fill('Platform 9');
    await benWrites('Platform 10');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await theirs.getByText('Platform 10').waitFor();
    expect(await location.inputValue()).toBe('Platform 9');
    await theirs.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => location.inputValue()).toBe('Platform 10');
    await location.fill('Platform 11');
    await benWrites('Platform 12');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await theirs.getByRole('button', { name: 'Overwrite' }).click();
    await page.waitForURL(/\/planned-dates(\?updated=true)?$/);
    const { body } = await us.ada.call('GET /api/PlannedDates/{id}', { params: { id: date.id } });
    expect(body.location).toBe('Platform 11');
  });
});
