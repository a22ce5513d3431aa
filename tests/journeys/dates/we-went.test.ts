import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findAccessibilityIssues } from '../../support/accessibility.ts';
import { answerOnce } from '../../support/answer-once.ts';
import {
  DESKTOP,
  gotoLive,
  holdRequests,
  keepNotices,
  letReactRender,
  PHONE,
  stopClock,
} from '../../support/browser.ts';
import { type Partner, registerCouple } from '../../support/client.ts';
import { planDate } from '../../support/factories.ts';
import { useApp } from '../../support/use-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** 'We went!' on an overdue date, with 'Undo' and 'Change the times'. */
describe('‘We went!’', () => {
  let serverIsAheadBy = 0;
  const here = useApp({ now: () => Date.now() + serverIsAheadBy });

  /** A couple with a date that was planned for the day before yesterday, from 8 to 8:45 in the evening in UTC. */
  const overdue = async () => {
    const couple = await registerCouple(here.app);
    const at = Math.floor(Date.now() / DAY) * DAY - 2 * DAY + 20 * HOUR;
    const date = await planDate(couple.ada, { idea: { title: 'Waltz' }, at, end: at + 0.75 * HOUR, notes: 'Slowly' });
    return { ...couple, date };
  };
  const window = (who: Partner, options = {}) => here.openAs(who, { ...DESKTOP, timezoneId: 'UTC', ...options });
  const list = async (page: Page) => {
    await gotoLive(page, '/planned-dates');
    await button(page, 'We went!').waitFor();
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const message = (page: Page) => page.getByRole('group', { name: 'We went!' });
  const ticket = (page: Page) => page.getByRole('article').filter({ hasText: 'Waltz' });
  const stateOf = async (who: Partner, id: string) =>
    (await who.call('GET /api/PlannedDates/{id}', { params: { id } })).body;

  it('stamps the ticket at once, for both partners, and Undo brings it back', { tags: ['dates.went.6'] }, async () => {
    const { ada, ben, date } = await overdue();
    const [page, other] = [await window(ada), await window(ben)];
    await list(page);
    await list(other);
    expect(await ticket(page).getByRole('button').allInnerTexts()).toEqual(['We went!', 'Start Date', 'Delete']);
    // The ticket changes before the server has answered.
    const release = await holdRequests(page, '**/went');
    await button(page, 'We went!').click();
    await ticket(page).getByText('Completed').waitFor();
    await message(page)
      .getByText(/^\w+day, 8:00 PM to 8:45 PM, as planned$/)
      .waitFor();
    // It stays while it has the pointer.
    await message(page).hover();
    release();
    await ticket(other).getByText('Completed').waitFor();
    expect(await stateOf(ben, date.id)).toMatchObject({ status: 'Completed', actualDuration: '45m', notes: 'Slowly' });

    await message(page).getByRole('button', { name: 'Undo' }).click();
    for (const one of [page, other]) await ticket(one).getByText('Overdue').waitFor();
    expect(await message(page).count()).toBe(0);
    await expect.poll(() => stateOf(ben, date.id)).toEqual(date);
  });

  it('takes the milestone back with Undo, for both partners, and celebrates it when it is reached again', {
    tags: ['dates.went.5'],
  }, async () => {
    const { ada, ben } = await overdue();
    const [page, other] = [await window(ada), await window(ben)];
    for (const one of [page, other]) {
      await keepNotices(one);
      await list(one);
    }
    const celebration = (one: Page) => one.getByRole('status').filter({ hasText: 'First Date' });
    const unseen = async () =>
      (await Promise.all([ada, ben].map((who) => who.call('GET /api/Stats/celebrations')))).flatMap(({ body }) => body);
    for (const undo of [true, false]) {
      await button(page, 'We went!').click();
      for (const one of [page, other]) await celebration(one).waitFor();
      await expect.poll(unseen).toEqual([]);
      if (!undo) break;
      await message(page).getByRole('button', { name: 'Undo' }).click();
      for (const one of [page, other]) await celebration(one).waitFor({ state: 'detached' });
    }
  });

  it('is followed by a message of ten seconds, which stays while it has the pointer', {
    tags: ['dates.went.7'],
  }, async () => {
    const { ada } = await overdue();
    const page = await window(ada);
    await page.clock.install();
    await list(page);
    // From here on, only the test advances the clock: not a second more passes before the pointer is there.
    await stopClock(page, 30_000);
    await button(page, 'We went!').click();
    await message(page).waitFor();
    await page.clock.runFor(9_000);
    await message(page).hover();
    await letReactRender(page);
    await page.clock.runFor(30_000);
    await letReactRender(page);
    expect(await message(page).count()).toBe(1);
    await page.clock.resume();
    await page.mouse.move(0, 0);
    await page.clock.runFor(1_500);
    await expect.poll(() => message(page).count()).toBe(0);
  });

  it('takes the focus to its message on the keyboard, and Undo gives it back', { tags: ['dates.went.7'] }, async () => {
    const { ada } = await overdue();
    const page = await window(ada);
    await page.clock.install();
    await list(page);
    await button(page, 'We went!').focus();
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    // The button has its first words.
    await expect.poll(focused).toMatch(/^We went!.+ as planned/);
    await page.clock.runFor(30_000);
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Undo');
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Change the times');
    await page.keyboard.press('Shift+Tab');
    // A busy phone shows the ticket after the server has answered.
    await stopClock(page, 30_000);
    const undone = page.waitForResponse((response) => response.url().endsWith('/went/undo'));
    await page.keyboard.press('Enter');
    await (await undone).finished();
    await page.clock.resume();
    await ticket(page).getByText('Overdue').waitFor();
    await expect.poll(focused).toBe('We went!');
  });

  it('changes the times, and keeps what was chosen if that fails', { tags: ['dates.went.8'] }, async () => {
    const { ada, date } = await overdue();
    const page = await window(ada, PHONE);
    await page.goto(`/planned-dates/${date.id}`);
    await button(page, 'We went!').click();
    await message(page).getByRole('button', { name: 'Change the times' }).click();
    const dialog = page.getByRole('dialog', { name: 'When were we out?' });
    const end = dialog.getByLabel('Actual end time');
    const day = date.plannedDateTime.slice(0, 10);
    await expect.poll(() => end.inputValue()).toBe(`${day}T20:45`);
    await end.fill(`${day}T19:00`);
    await dialog.getByText('End time must be after start time', { exact: true }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await end.fill(`${day}T23:10`);
    await dialog.getByText('3 hours 10 minutes').waitFor();
    expect(await findAccessibilityIssues(page, 'the times')).toEqual([]);
    await answerOnce(page, `POST /api/PlannedDates/${date.id}/went`, 'cut');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Failed to save the times. Please try again.').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('definition').filter({ hasText: '3 hours 10 minutes' }).waitFor();
    const saved = await stateOf(ada, date.id);
    expect(saved).toMatchObject({ status: 'Completed', actualDuration: '3h 10m', notes: 'Slowly' });
  });

  /** Completes the date, and opens the dialog for its times. */
  const openTimes = async (page: Page, dateId: string) => {
    await page.goto(`/planned-dates/${dateId}`);
    await button(page, 'We went!').click();
    await message(page).getByRole('button', { name: 'Change the times' }).click();
    const dialog = page.getByRole('dialog', { name: 'When were we out?' });
    await dialog.waitFor();
    return dialog;
  };

  it('keeps the times that were chosen if it can’t be taken back, and saves them on a later try', {
    tags: ['dates.went.8'],
  }, async () => {
    const { ada, date } = await overdue();
    const page = await window(ada);
    const undo = `POST /api/PlannedDates/${date.id}/went/undo`;
    await answerOnce(page, undo, 'cut');
    const failed = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/went/undo'));
    const dialog = await openTimes(page, date.id);
    await failed;
    await dialog.getByLabel('Actual end time').fill(`${date.plannedDateTime.slice(0, 10)}T23:10`);
    for (const answer of [{ status: 503 }, 'lost'] as const) {
      await answerOnce(page, undo, answer);
      await dialog.getByRole('button', { name: 'Save' }).click();
      const failure = dialog.getByText('Failed to save the times. Please try again.');
      await failure.waitFor();
      await dialog.getByRole('button', { name: 'Dismiss' }).click();
      await failure.waitFor({ state: 'detached' });
    }
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await stateOf(ada, date.id)).actualDuration).toBe('3h 10m');
  });

  it('says so if the times can’t be changed any more', { tags: ['dates.went.8', 'dates.went.9'] }, async () => {
    const { ada, date } = await overdue();
    const page = await window(ada);
    await page.goto(`/planned-dates/${date.id}`);
    await button(page, 'We went!').click();
    // The minute begins when the server completes it.
    await expect.poll(async () => (await stateOf(ada, date.id)).status).toBe('Completed');
    serverIsAheadBy = 2 * MINUTE;
    onTestFinished(() => void (serverIsAheadBy = 0));
    await message(page).getByRole('button', { name: 'Change the times' }).click();
    const dialog = page.getByRole('dialog', { name: 'When were we out?' });
    await dialog.getByLabel('Actual end time').fill(`${date.plannedDateTime.slice(0, 10)}T23:10`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('‘We went!’ can only be undone within a minute.').waitFor();
    expect(await dialog.getByLabel('Actual end time').inputValue()).toContain('T23:10');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stateOf(ada, date.id)).toMatchObject({ status: 'Completed', actualDuration: '45m' });
    expect(await page.getByRole('alert').filter({ hasText: 'Failed' }).count()).toBe(0);
  });

  it('says so if its dialog took it back and can’t complete it again', { tags: ['dates.went.9'] }, async () => {
    const { ada, date } = await overdue();
    const page = await window(ada);
    const dialog = await openTimes(page, date.id);
    await expect.poll(async () => (await stateOf(ada, date.id)).status).toBe('Planned');
    await answerOnce(page, 'POST /api/PlannedDates/*/went', 'cut');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('Failed to complete date. Please try again.').waitFor();
    await ticket(page).getByText('Overdue').waitFor();
  });

  it('is completed as it was if the times are not changed after all, even after more than a minute', {
    tags: ['dates.went.9'],
  }, async () => {
    const { ada, date } = await overdue();
    const page = await window(ada);
    const dialog = await openTimes(page, date.id);
    await expect.poll(async () => (await stateOf(ada, date.id)).status).toBe('Planned');
    serverIsAheadBy = 2 * MINUTE;
    onTestFinished(() => void (serverIsAheadBy = 0));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await stateOf(ada, date.id)).actualDuration).toBe('45m');
    await ticket(page).getByText('Completed').waitFor();
  });

  it('says so if the partner was faster, and shows what the partner did', { tags: ['dates.went.6'] }, async () => {
    const { ada, ben, date } = await overdue();
    const page = await window(ada);
    await list(page);
    const release = await holdRequests(page, '**/went');
    await button(page, 'We went!').click();
    await message(page).waitFor();
    await ben.call('POST /api/PlannedDates/{id}/start', { params: { id: date.id } });
    release();
    await page.getByRole('alert').getByText('Only a planned date can be completed with ‘We went!’.').waitFor();
    await ticket(page).getByText('In Progress').waitFor();
    expect(await message(page).count()).toBe(0);
  });

  it('is accessible, on a phone in the dark too', { tags: ['dates.went.7'] }, async () => {
    for (const options of [DESKTOP, { ...PHONE, colorScheme: 'dark' }] as const) {
      const { ada } = await overdue();
      const page = await window(ada, options);
      await page.clock.install();
      await list(page);
      expect(await findAccessibilityIssues(page, 'overdue')).toEqual([]);
      await button(page, 'We went!').click();
      await message(page).waitFor();
      expect(await findAccessibilityIssues(page, 'the message')).toEqual([]);
    }
  });
});
