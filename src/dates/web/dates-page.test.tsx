import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { completeDate, planDate, startDate } from '../../../tests/support/factories.ts';
import { failCalls, refuseCalls, repairAtClick, setTime } from '../../../tests/support/handle-calls.ts';
import {
  address,
  type Couple,
  focus,
  press,
  registerUs,
  show,
  textsOf,
  uploadPhoto,
} from '../../../tests/support/screens.tsx';
import { DAY, HOUR } from '../../base/durations.ts';

/** The list of planned dates. */
describe('the list of our dates', () => {
  // Noon of Saturday in Rome, for the server as for the page.
  const now = Date.parse('2026-11-21T11:00:00Z');
  let us: Couple;
  beforeAll(async () => {
    setTime(now);
    us = await registerUs('Europe/Rome');
    const plan = (title: string, at: number) => planDate(us.ada, { idea: { title }, at });
    await plan('Night train', now + 13 * DAY);
    await plan('Waltz', now - 2 * DAY);
    await planDate(us.ada, {
      idea: { title: 'Risotto', category: 'Food' },
      at: now + 6 * HOUR,
      end: now + 8.5 * HOUR,
      location: 'At home',
      notes: 'No phones after the first glass.',
    });
    const cinema = await plan('Cinema', now - 50 * DAY);
    await us.ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: cinema.id } });
    const arezzo = await completeDate(us.ada, { idea: { title: 'Arezzo' }, at: now - 7 * DAY, minutes: 1570 });
    await uploadPhoto(us.ada, arezzo.id);
    await startDate(us.ada, { idea: { title: 'Market' }, at: now - HOUR });
  });

  beforeEach(() => page.viewport(1280, 800));
  afterAll(() => vi.useRealTimers());

  const open = async (path = '/planned-dates', who = us.ada) => {
    await show(path, who);
    await expect.element(page.getByRole('article').first()).toBeVisible();
  };
  const titles = () => textsOf(page.getByRole('article').getByRole('heading'));
  const card = (title: string) => page.getByRole('article').filter({ hasText: title });
  const buttons = (title: string) =>
    [...card(title).element().querySelectorAll('a, button')].map((one) => one.textContent).slice(1);

  it('shows what each date is, when and where, on cards that are wide enough', {
    tags: ['dates.list.1', 'dates.list.4', 'dates.list.5', 'dates.list.6'],
  }, async () => {
    await open('/planned-dates', us.ben);
    await expect.element(page.getByRole('status').getByText('6 dates found')).toBeVisible();
    await expect.element(page.getByRole('heading', { level: 1, name: 'Our Dates' })).toBeVisible();
    await expect.poll(() => titles()).toEqual(['Market', 'Cinema', 'Arezzo', 'Waltz', 'Risotto', 'Night train']);
    for (const part of [
      'Today!',
      '6 hours to go',
      'Food & Dining',
      'Saturday, November 21, 2026',
      '6:00 PM (2 hours 30 minutes)',
      'At home',
      'No phones after the first glass.',
    ])
      await expect.poll(() => textsOf(card('Risotto'))[0]).toContain(part);
    const widths = page
      .getByRole('article')
      .elements()
      .map((one) => one.clientWidth);
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(320);
  });

  it('shows the status and the time until each date', { tags: ['dates.list.8'] }, async () => {
    await open('/planned-dates', us.ben);
    for (const [title, pattern] of [
      ['Market', /In Progress[\s\S]*Started just now/],
      ['Arezzo', /Completed[\s\S]*5 days ago[\s\S]*1 day 2 hours 10 minutes[\s\S]*1 memory/],
      ['Waltz', /Overdue[\s\S]*Was planned for 2 days ago/],
      ['Night train', /Upcoming[\s\S]*13 days to go/],
    ] as const)
      await expect.poll(() => textsOf(card(title))[0]).toMatch(pattern);
    expect(textsOf(card('Cinema'))[0]).not.toMatch(/ago|to go/);
  });

  it('has the buttons of each status', { tags: ['dates.list.9'] }, async () => {
    await open('/planned-dates', us.ben);
    await expect.poll(() => buttons('Market')).toEqual(['Complete', 'View Details', 'Delete']);
    await expect.poll(() => buttons('Cinema')).toEqual(['View Details', 'Delete']);
    await expect.poll(() => buttons('Arezzo')).toEqual(['Add Memories', 'View Details', 'Delete']);
    await expect.poll(() => buttons('Waltz')).toEqual(['We went!', 'Start Date', 'View Details', 'Delete']);
    await expect.poll(() => buttons('Risotto')).toEqual(['Start Date', 'View Details', 'Edit', 'Delete']);
    const upcoming = ['Start Date', 'View Details', 'Edit', 'Cancel Date', 'Delete'];
    await expect.poll(() => buttons('Night train')).toEqual(upcoming);
  });

  it('gives each status the color of its badge', { tags: ['dates.list.7'] }, async () => {
    await open();
    for (const [title, badge, from, to] of [
      ['Night train', 'Upcoming', 220, 270],
      ['Risotto', 'Today!', 50, 80],
      ['Waltz', 'Overdue', 10, 40],
      ['Market', 'In Progress', 290, 330],
      ['Arezzo', 'Completed', 130, 165],
    ] as const) {
      const { chroma, hue } = colorOf(card(title).getByText(badge, { exact: true }));
      expect(chroma, badge).toBeGreaterThan(0.08);
      expect(hue, badge).toBeGreaterThan(from);
      expect(hue, badge).toBeLessThan(to);
    }
    const grey = colorOf(card('Cinema').getByText('Cancelled', { exact: true }));
    expect(grey.chroma).toBeLessThan(0.03);
  });

  it('filters by tabs with counts and sorts, keeps both in the address, and shows dates in progress first', {
    tags: ['dates.list.1', 'dates.list.2', 'dates.list.3'],
  }, async () => {
    await page.viewport(360, 780);
    await open();
    const tabs = () => textsOf(page.getByRole('tab'));
    await expect.poll(tabs).toEqual(['All 6', 'Upcoming 3', 'Active 1', 'Completed 1', 'Cancelled 1']);
    await page.getByRole('tab', { name: /^Upcoming/ }).click();
    await expect.poll(() => titles()).toEqual(['Waltz', 'Risotto', 'Night train']);
    await expect.element(page.getByText('3 dates found')).toBeVisible();
    await expect.poll(() => location.search).toBe('?filter=upcoming');
    await show(address(), us.ada);
    await expect.poll(() => titles()).toEqual(['Waltz', 'Risotto', 'Night train']);
    await userEvent.keyboard('{Tab}');
    await press(page.getByRole('tab', { name: /^Upcoming/ }), 'Home');
    await expect.poll(() => titles().length).toBe(6);
    const sort = page.getByLabelText('Sort');
    await sort.selectOptions('Date (Latest First)');
    await expect.poll(() => titles()).toEqual(['Market', 'Night train', 'Risotto', 'Waltz', 'Arezzo', 'Cinema']);
    await sort.selectOptions('Title (A-Z)');
    await expect.poll(() => titles()).toEqual(['Market', 'Arezzo', 'Cinema', 'Night train', 'Risotto', 'Waltz']);
    await sort.selectOptions('Status');
    await expect.poll(() => titles()).toEqual(['Market', 'Risotto', 'Waltz', 'Night train', 'Arezzo', 'Cinema']);
    await page.getByRole('link', { name: 'Plan New Date' }).click();
    await expect.poll(address).toBe('/date-ideas');
  });

  it('shows all dates by date for an unknown tab and sort in the address', async () => {
    await open('/planned-dates?filter=nonsense&sort=nonsense');
    await expect.poll(() => textsOf(page.getByRole('tab', { selected: true }))[0]).toMatch(/^All/);
    await expect.element(page.getByLabelText('Sort')).toHaveValue('date-asc');
  });

  it('has a text for every empty tab', { tags: ['dates.list.13'] }, async () => {
    const newCouple = await registerUs();
    await show('/planned-dates', newCouple.ada);
    await expect
      .element(
        page.getByText('No dates planned yet! Start by browsing date ideas and planning our first romantic moment.'),
      )
      .toBeVisible();
    expect(page.getByRole('button', { name: 'Show All Dates' }).elements()).toEqual([]);
    expect(page.getByRole('tab', { name: /Cancelled/ }).elements()).toEqual([]);
    for (const [tab, sentence] of [
      ['upcoming', 'No upcoming dates planned. Time to schedule some romance!'],
      ['in-progress', 'No dates currently in progress.'],
      ['completed', 'No completed dates yet. Start creating beautiful memories!'],
      ['cancelled', 'No cancelled dates.'],
    ] as const) {
      await show(`/planned-dates?filter=${tab}`, newCouple.ada);
      await expect.element(page.getByText(sentence)).toBeVisible();
    }
    await page.getByRole('button', { name: 'Show All Dates' }).click();
    await expect.element(page.getByText('No dates planned yet!')).toBeVisible();
    await page.getByRole('link', { name: 'Plan Our First Date' }).click();
    await expect.poll(address).toBe('/date-ideas');
  });

  it('keeps the focus in the tabs when the selected one disappears with its last date', {
    tags: ['dates.list.14'],
  }, async () => {
    const newCouple = await registerUs();
    const { id } = await planDate(newCouple.ada, { at: now + DAY });
    await newCouple.ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id } });
    await show('/planned-dates', newCouple.ada);
    await page.getByRole('tab', { name: /Cancelled/ }).click();
    await newCouple.ben.call('DELETE /api/PlannedDates/{id}', { params: { id } });
    await expect.element(page.getByText('No cancelled dates.')).toBeVisible();
    const all = page.getByRole('tab', { name: /All/ });
    await expect.element(all).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(page.getByText('No dates planned yet!')).toBeVisible();
    // The tabs can be reached by Tab even if none is selected.
    await show('/planned-dates?filter=cancelled', newCouple.ada);
    await expect.element(page.getByText('No cancelled dates.')).toBeVisible();
    focus(page.getByRole('link', { name: 'Add a Past Date' }).first());
    await userEvent.keyboard('{Tab}');
    await expect.element(all).toHaveFocus();
  });

  it('follows what the partner changes', { tags: ['dates.list.17'] }, async () => {
    const { ada, ben } = await registerUs();
    const { id } = await planDate(ada, { idea: { title: 'Pier' }, at: now + DAY });
    await open('/planned-dates', ada);
    await ben.call('POST /api/PlannedDates/{id}/cancel', { params: { id } });
    await expect.poll(() => textsOf(card('Pier'))[0]).toContain('Cancelled');
  });

  describe('an action on a date', () => {
    let newCouple: Couple;
    beforeEach(async () => {
      newCouple = await registerUs();
      await planDate(newCouple.ada, { idea: { title: 'Pier' }, at: now + DAY });
      await page.viewport(360, 780);
      await open('/planned-dates', newCouple.ada);
    });
    const dialog = page.getByRole('alertdialog');
    const ask = (what: string) => page.getByRole('button', { name: what }).click();
    const confirm = (what: string) => dialog.getByRole('button', { name: what }).click();

    it('says that it failed, until that is dismissed', { tags: ['dates.list.12'] }, async () => {
      const dismiss = (what: string) =>
        page
          .getByRole('alert')
          .filter({ hasText: `Failed to ${what} date. Please try again.` })
          .getByRole('button', { name: 'Dismiss' })
          .click();
      refuseCalls('POST /api/PlannedDates/*/start', 500, undefined, 1);
      await ask('Start Date');
      await dismiss('start');
      refuseCalls('POST /api/PlannedDates/*/cancel', 500, undefined, 1);
      await ask('Cancel Date');
      await confirm('Cancel Date');
      await dismiss('cancel');
      refuseCalls('DELETE /api/PlannedDates/*', 500, undefined, 1);
      await ask('Delete');
      await confirm('Delete');
      await dismiss('delete');
      await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
    });

    it('starts it', { tags: ['dates.list.9'] }, async () => {
      await ask('Start Date');
      await expect.element(page.getByRole('status').getByText('Our date has begun. Enjoy it!')).toBeVisible();
      await expect.element(page.getByRole('link', { name: 'Complete' })).toBeVisible();
    });

    it('cancels it after a question', { tags: ['dates.list.10'] }, async () => {
      await ask('Cancel Date');
      await expect.element(dialog.getByText('Are you sure you want to cancel this date?')).toBeVisible();
      await confirm('Cancel Date');
      await expect.poll(() => textsOf(card('Pier'))[0]).toContain('Cancelled');
    });

    it('deletes it after a question, and brings it back by ‘Undo’', { tags: ['dates.list.10'] }, async () => {
      await ask('Delete');
      await expect
        .element(dialog.getByText('Are you sure you want to permanently delete this planned date?', { exact: true }))
        .toBeVisible();
      await expect.element(dialog.getByText('back from Recently deleted for 30 days.')).toBeVisible();
      await confirm('Keep');
      await ask('Delete');
      await confirm('Delete');
      await expect.element(page.getByText('No dates planned yet!')).toBeVisible();
      await ask('Undo');
      await expect.element(page.getByRole('heading', { name: 'Pier' })).toBeVisible();
    });
  });

  it('says when it cannot be loaded, and tries again', { tags: ['dates.list.15'] }, async () => {
    const { ada } = await registerUs();
    await planDate(ada, { at: now + DAY });
    const repair = failCalls('GET /api/PlannedDates');
    await show('/planned-dates', ada);
    await expect.element(page.getByRole('alert').getByText('Failed to load dates. Please try again.')).toBeVisible();
    repairAtClick(repair);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(page.getByText('1 date found')).toBeVisible();
  });
});

/** Returns the computed color of a text, `oklch(lightness chroma hue)`. */
function colorOf(text: Locator): { chroma: number; hue: number } {
  const { color } = getComputedStyle(text.element());
  const [, chroma, hue] = /^oklch\([\d.]+ ([\d.]+) ([\d.]+)\)$/.exec(color) ?? [];
  return { chroma: Number(chroma), hue: Number(hue) };
}
