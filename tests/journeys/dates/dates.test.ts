import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerOnce } from '../../support/answer-once.ts';
import { DESKTOP, gotoLive, keepNotices, PHONE } from '../../support/browser.ts';
import { registerCouple } from '../../support/client.ts';
import { addPhoto, completeDate, planDate, startDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The list of planned dates. */
describe('the list of our dates', () => {
  // Noon of Saturday in Rome, for the server as for the page.
  const now = Date.parse('2026-11-21T11:00:00Z');
  const us = useCouple({ now: () => now });
  beforeAll(async () => {
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
    await addPhoto(us.ada, arezzo.id);
    await startDate(us.ada, { idea: { title: 'Market' }, at: now - HOUR });
  });

  const open = async (page: Page, path = '/planned-dates') => {
    await page.clock.setFixedTime(now);
    await keepNotices(page, 10_000);
    await gotoLive(page, path);
    await page.getByRole('article').first().waitFor();
  };
  const titles = (page: Page) => page.getByRole('article').getByRole('heading').allInnerTexts();
  const card = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title });
  const buttons = (page: Page, title: string) =>
    card(page, title)
      .locator('a, button')
      .allInnerTexts()
      .then((names) => names.slice(1));

  it('shows every date with its status and its buttons', {
    tags: ['dates.list.1', 'dates.list.4', 'dates.list.5', 'dates.list.6', 'dates.list.8', 'dates.list.9'],
  }, async () => {
    const page = await us.openAs(us.ben, DESKTOP);
    await open(page);
    await page.getByRole('status').getByText('6 dates found').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Our Dates' }).waitFor();
    await expect.poll(() => titles(page)).toEqual(['Market', 'Cinema', 'Arezzo', 'Waltz', 'Risotto', 'Night train']);
    for (const part of [
      'Today!',
      '6 hours to go',
      'Food & Dining',
      'Saturday, November 21, 2026',
      '6:00 PM (2 hours 30 minutes)',
      'At home',
      'No phones after the first glass.',
    ])
      await expect.poll(() => card(page, 'Risotto').innerText()).toContain(part);
    const widths = await page.getByRole('article').evaluateAll((cards) => cards.map((one) => one.clientWidth));
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(320);
    for (const [title, pattern] of [
      ['Market', /In Progress[\s\S]*Started just now/],
      ['Arezzo', /Completed[\s\S]*5 days ago[\s\S]*1 day 2 hours 10 minutes[\s\S]*1 memory/],
      ['Waltz', /Overdue[\s\S]*Was planned for 2 days ago/],
      ['Night train', /Upcoming[\s\S]*13 days to go/],
    ] as const)
      await expect.poll(() => card(page, title).innerText()).toMatch(pattern);
    expect(await card(page, 'Cinema').innerText()).not.toMatch(/ago|to go/);
    await expect.poll(() => buttons(page, 'Market')).toEqual(['Complete', 'View Details', 'Delete']);
    await expect.poll(() => buttons(page, 'Cinema')).toEqual(['View Details', 'Delete']);
    await expect.poll(() => buttons(page, 'Arezzo')).toEqual(['Add Memories', 'View Details', 'Delete']);
    await expect.poll(() => buttons(page, 'Waltz')).toEqual(['We went!', 'Start Date', 'View Details', 'Delete']);
    await expect.poll(() => buttons(page, 'Risotto')).toEqual(['Start Date', 'View Details', 'Edit', 'Delete']);
    const upcoming = ['Start Date', 'View Details', 'Edit', 'Cancel Date', 'Delete'];
    await expect.poll(() => buttons(page, 'Night train')).toEqual(upcoming);
  });

  it('gives each status the color of its badge', { tags: ['dates.list.7'] }, async () => {
    const page = await us.open(DESKTOP);
    await open(page);
    for (const [title, badge, from, to] of [
      ['Night train', 'Upcoming', 220, 270],
      ['Risotto', 'Today!', 50, 80],
      ['Waltz', 'Overdue', 10, 40],
      ['Market', 'In Progress', 290, 330],
      ['Arezzo', 'Completed', 130, 165],
    ] as const) {
      const { chroma, hue } = await colorOf(card(page, title).getByText(badge, { exact: true }));
      expect(chroma, badge).toBeGreaterThan(0.08);
      expect(hue, badge).toBeGreaterThan(from);
      expect(hue, badge).toBeLessThan(to);
    }
    const grey = await colorOf(card(page, 'Cinema').getByText('Cancelled', { exact: true }));
    expect(grey.chroma).toBeLessThan(0.03);
  });

  it('filters by tabs with counts and sorts, keeps both in the address, and shows dates in progress first', {
    tags: ['dates.list.1', 'dates.list.2', 'dates.list.3'],
  }, async () => {
    const page = await us.open(PHONE);
    await open(page);
    const tabs = () => page.getByRole('tab').allInnerTexts();
    await expect
      .poll(async () => (await tabs()).map((tab) => tab.replace(/\s+/g, ' ')))
      .toEqual(['All 6', 'Upcoming 3', 'Active 1', 'Completed 1', 'Cancelled 1']);
    await page.getByRole('tab', { name: /^Upcoming/ }).click();
    await expect.poll(() => titles(page)).toEqual(['Waltz', 'Risotto', 'Night train']);
    await page.getByText('3 dates found').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?filter=upcoming');
    await page.reload();
    await expect.poll(() => titles(page)).toEqual(['Waltz', 'Risotto', 'Night train']);
    await page.keyboard.press('Tab');
    await page.getByRole('tab', { name: /^Upcoming/ }).press('Home');
    await expect.poll(async () => (await titles(page)).length).toBe(6);
    const sort = page.getByLabel('Sort');
    await sort.selectOption('Date (Latest First)');
    await expect.poll(() => titles(page)).toEqual(['Market', 'Night train', 'Risotto', 'Waltz', 'Arezzo', 'Cinema']);
    await sort.selectOption('Title (A-Z)');
    await expect.poll(() => titles(page)).toEqual(['Market', 'Arezzo', 'Cinema', 'Night train', 'Risotto', 'Waltz']);
    await sort.selectOption('Status');
    await expect.poll(() => titles(page)).toEqual(['Market', 'Risotto', 'Waltz', 'Night train', 'Arezzo', 'Cinema']);
    await page.getByRole('link', { name: 'Plan New Date' }).click();
    await page.waitForURL('**/date-ideas');
  });

  it('shows all dates by date for an unknown tab and sort in the address', async () => {
    const page = await us.open(DESKTOP);
    await open(page, '/planned-dates?filter=nonsense&sort=nonsense');
    await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toMatch(/^All/);
    await expect.poll(() => page.getByLabel('Sort').inputValue()).toBe('date-asc');
  });

  it('has a text for every empty tab', { tags: ['dates.list.13'] }, async () => {
    const newCouple = await registerCouple(us.app);
    const page = await us.openAs(newCouple.ada, DESKTOP);
    await page.goto('/planned-dates');
    await page
      .getByText('No dates planned yet! Start by browsing date ideas and planning our first romantic moment.')
      .waitFor();
    expect(await page.getByRole('button', { name: 'Show All Dates' }).count()).toBe(0);
    expect(await page.getByRole('tab', { name: /Cancelled/ }).count()).toBe(0);
    for (const [tab, sentence] of [
      ['upcoming', 'No upcoming dates planned. Time to schedule some romance!'],
      ['in-progress', 'No dates currently in progress.'],
      ['completed', 'No completed dates yet. Start creating beautiful memories!'],
      ['cancelled', 'No cancelled dates.'],
    ] as const) {
      await page.goto(`/planned-dates?filter=${tab}`);
      await page.getByText(sentence).waitFor();
    }
    await page.getByRole('button', { name: 'Show All Dates' }).click();
    await page.getByText('No dates planned yet!').waitFor();
    await page.getByRole('link', { name: 'Plan Our First Date' }).click();
    await page.waitForURL('**/date-ideas');
  });

  it('keeps the focus in the tabs when the selected one disappears with its last date', {
    tags: ['dates.list.14'],
  }, async () => {
    const newCouple = await registerCouple(us.app);
    const { id } = await planDate(newCouple.ada, { at: now + DAY });
    await newCouple.ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id } });
    const page = await us.openAs(newCouple.ada, DESKTOP);
    await gotoLive(page, '/planned-dates');
    await page.getByRole('tab', { name: /Cancelled/ }).click();
    await newCouple.ben.call('DELETE /api/PlannedDates/{id}', { params: { id } });
    await page.getByText('No cancelled dates.').waitFor();
    const all = page.getByRole('tab', { name: /All/ });
    await expect.poll(() => all.evaluate((tab) => tab === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.getByText('No dates planned yet!').waitFor();
    // The tabs can be reached by Tab even if none is selected.
    await page.goto('/planned-dates?filter=cancelled');
    await page.getByText('No cancelled dates.').waitFor();
    await page.getByRole('link', { name: 'Add a Past Date' }).first().focus();
    await page.keyboard.press('Tab');
    await expect.poll(() => all.evaluate((tab) => tab === document.activeElement)).toBe(true);
  });

  it('starts, cancels and deletes dates, reports failures, and shows changes to both partners', {
    tags: ['dates.list.10', 'dates.list.12', 'dates.list.17'],
  }, async () => {
    const newCouple = await registerCouple(us.app);
    await planDate(newCouple.ada, { idea: { title: 'Pier' }, at: now + DAY });
    const page = await us.openAs(newCouple.ada, PHONE);
    const other = await us.openAs(newCouple.ben, { ...DESKTOP, name: 'Ben' });
    await Promise.all([open(page), open(other)]);
    const failsOnce = (call: string) => answerOnce(page, call, { status: 500 });
    const alert = (what: string) =>
      page.getByRole('alert').filter({ hasText: `Failed to ${what} date. Please try again.` });
    const dialog = page.getByRole('alertdialog');

    await failsOnce('POST /api/PlannedDates/*/cancel');
    await page.getByRole('button', { name: 'Cancel Date' }).click();
    await dialog.getByText('Are you sure you want to cancel this date?').waitFor();
    await dialog.getByRole('button', { name: 'Cancel Date' }).click();
    await alert('cancel').getByRole('button', { name: 'Dismiss' }).click();
    await failsOnce('POST /api/PlannedDates/*/start');
    await page.getByRole('button', { name: 'Start Date' }).click();
    await alert('start').getByRole('button', { name: 'Dismiss' }).click();

    await page.getByRole('button', { name: 'Start Date' }).click();
    await page.getByRole('status').getByText('Our date has begun. Enjoy it!').waitFor();
    await page.getByRole('link', { name: 'Complete' }).waitFor();
    await other.getByText('In Progress').waitFor();

    await failsOnce('DELETE /api/PlannedDates/*');
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Are you sure you want to permanently delete this planned date?', { exact: true }).waitFor();
    await dialog.getByText('back from Recently deleted for 30 days.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await alert('delete').getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No dates planned yet!').waitFor();
    await other.getByText('No dates planned yet!').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Pier' }).waitFor();
    await other.getByRole('heading', { name: 'Pier' }).waitFor();
  });

  it('says when it cannot be loaded, and tries again', { tags: ['dates.list.15'] }, async () => {
    const page = await us.open(DESKTOP);
    await answerOnce(page, 'GET /api/PlannedDates', 'cut');
    await page.goto('/planned-dates');
    await page.getByRole('alert').getByText('Failed to load dates. Please try again.').waitFor();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText('6 dates found').waitFor();
  });
});

/** Returns the computed color of a text, `oklch(lightness chroma hue)`. */
async function colorOf(text: Locator): Promise<{ chroma: number; hue: number }> {
  const color = await text.evaluate((element) => getComputedStyle(element).color);
  const [, chroma, hue] = /^oklch\([\d.]+ ([\d.]+) ([\d.]+)\)$/.exec(color) ?? [];
  return { chroma: Number(chroma), hue: Number(hue) };
}

/** 'Today' and 'overdue' appear without a reload, by the device's clock and zone. */
describe('the clock on our dates', () => {
  const us = useCouple({ now: () => Date.parse('2026-12-31T08:00:00Z') });

  it('turns upcoming into today at midnight on New Year’s Eve, far from UTC', {
    tags: ['dates.list.7', 'dates.list.8'],
  }, async () => {
    await planDate(us.ada, { idea: { title: 'First walk' }, at: '2027-01-01T01:00:00+14:00' });
    const page = await us.open({ timezoneId: 'Pacific/Kiritimati' });
    await page.clock.install({ time: '2026-12-31T23:58:30+14:00' });
    await page.goto('/planned-dates');
    const ticket = page.getByRole('article');
    await ticket.getByText('Upcoming').waitFor();
    await ticket.getByText('Friday, January 1, 2027').waitFor();
    await ticket.getByText('1 hour to go').waitFor();
    // From here on, only the test advances the page's clock, so that no minute passes while it looks.
    await page.clock.pauseAt('2026-12-31T23:59:30+14:00');
    await page.clock.fastForward('02:00');
    await ticket.getByText('Today!').waitFor();
    await ticket.getByText('59 minutes to go').waitFor();
    expect(await ticket.getByRole('button', { name: 'Cancel Date' }).count()).toBe(0);
    await page.clock.fastForward('01:00:00');
    await ticket.getByText('Starting soon!').waitFor();
    await page.clock.fastForward('23:00:00');
    await ticket.getByText('Overdue').waitFor();
    expect(await ticket.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  });
});
