import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findIssuesAtEverySize } from '../../support/accessibility.ts';
import { answerOnce } from '../../support/answer-once.ts';
import { DESKTOP, gotoLive, PHONE, untilControlled } from '../../support/browser.ts';
import { FAKE_CAMERA } from '../../support/chromium.ts';
import { type Partner, registerCouple } from '../../support/client.ts';
import { addPhoto, planDate, startDate } from '../../support/factories.ts';
import { useApp } from '../../support/use-app.ts';
import { isKnownOffline, keptWords, RECONNECT } from '../stored-rows.ts';
import { takePhotos } from '../take-photos.ts';
import { keptPhotos } from '../upload-page.ts';

const HOUR = 3_600_000;

/** Date mode: a date in progress, alone on a dark page. */
describe('date mode', () => {
  const here = useApp({ args: FAKE_CAMERA });

  const outTogether = async (parts: object = {}) => {
    const couple = await registerCouple(here.app);
    const date = await startDate(couple.ada, {
      idea: { title: 'Lantern walk' },
      at: Date.now() - HOUR,
      end: Date.now() + HOUR,
      location: 'From the cathedral down to the river',
      ...parts,
    });
    return { ...couple, date, path: `/planned-dates/${date.id}/now` };
  };
  const note = (page: Page) => page.getByLabel('A note, saved as we write');
  const notesOf = async (who: Partner, id: string) =>
    (await who.call('GET /api/PlannedDates/{id}', { params: { id } })).body.notes;
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('is where the dashboard leads to, shows the date alone, and is left by Back', {
    tags: ['datemode.1'],
  }, async () => {
    const { ada, date, path } = await outTogether();
    const page = await here.openAs(ada, { ...PHONE, colorScheme: 'light' });
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Our Date, Right Now' }).waitFor();
    const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts();
    expect(headings[0]).toBe('Our Date, Right Now');
    await page.getByRole('link', { name: /Lantern walk/ }).click();
    await page.waitForURL(`**${path}`);
    await page.getByRole('heading', { level: 1, name: 'Lantern walk' }).waitFor();
    // A minute may pass meanwhile.
    await page.getByRole('timer', { name: /^\d minutes?$/ }).waitFor();
    await page.getByText('planned until').waitFor();
    await page.getByText('In Progress').waitFor();
    const place = page.getByRole('link', { name: 'From the cathedral down to the river' });
    expect(await place.getAttribute('href')).toContain(encodeURIComponent(date.location ?? ''));
    expect(await place.getAttribute('rel')).toBe('noreferrer');
    expect(await page.getByRole('navigation').count()).toBe(0);
    // Always night, whatever the device's scheme is.
    const ink = await page.evaluate(() => getComputedStyle(document.body).colorScheme);
    expect(ink).toBe('dark');
    await button(page, 'Back').click();
    await page.waitForURL('**/dashboard');
  });

  it('moves the time once a minute', { tags: ['datemode.2'] }, async () => {
    const { ada, date, path } = await outTogether();
    const page = await here.openAs(ada, DESKTOP);
    await page.clock.install();
    await gotoLive(page, path);
    await page.getByRole('timer').waitFor();
    const startMinute = Math.floor(Date.parse(date.actualStartTime ?? '') / 60_000) * 60_000;
    await page.clock.pauseAt(startMinute + 10.5 * 60_000);
    await page.getByRole('timer', { name: '10 minutes' }).waitFor();
    await page.clock.runFor(92 * 60_000);
    await page.getByRole('timer', { name: '1 hour 42 minutes' }).waitFor();
  });

  it('puts photographs straight into the date, and shows them to both partners', {
    tags: ['datemode.3'],
  }, async () => {
    const { ada, ben, date, path } = await outTogether();
    await addPhoto(ben, date.id, 7, 'The first lamp');
    const [page, other] = [await here.openAs(ada, PHONE), await here.openAs(ben, DESKTOP)];
    await gotoLive(page, path);
    await gotoLive(other, path);
    await page.getByText('1 so far').waitFor();
    await takePhotos(page, 2);
    for (const one of [page, other]) await one.getByText('3 so far').waitFor();
    for (const one of [page, other]) await expect.poll(() => one.getByRole('link', { name: /^View/ }).count()).toBe(3);
    const { body } = await ben.call('GET /api/Memories', { query: { plannedDateId: date.id } });
    expect(body).toHaveLength(3);
  });

  it('sends photographs again after a proxy or the server has failed', { tags: ['datemode.4'] }, async () => {
    const { ada, date, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await gotoLive(page, path);
    const failures = [502, 500, 504, 204];
    await page.route('**/api/Memories', async (route) => {
      const status = route.request().method() === 'POST' ? failures.shift() : undefined;
      if (status === undefined) return route.fallback();
      await route.fulfill({ status, contentType: 'text/html', body: '<p>Bad gateway</p>' });
    });
    await takePhotos(page, 2);
    await expect
      .poll(
        async () => (await ada.call('GET /api/Memories', { query: { plannedDateId: date.id } })).body.length,
        RECONNECT,
      )
      .toBe(2);
    await page.getByText('2 so far').waitFor();
    expect(failures).toEqual([]);
  });

  it('saves the note as it is typed, merges what both write, and loses no word', {
    tags: ['datemode.8'],
  }, async () => {
    const { ada, ben, date, path } = await outTogether({ notes: 'Lamps.' });
    const [page, other] = [await here.openAs(ada, DESKTOP), await here.openAs(ben, PHONE)];
    await gotoLive(page, path);
    await gotoLive(other, path);
    await note(page).press('End');
    await note(page).pressSequentially(' You stopped for every one.');
    await expect.poll(() => notesOf(ben, date.id)).toBe('Lamps. You stopped for every one.');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    await expect.poll(() => note(other).inputValue()).toBe('Lamps. You stopped for every one.');
    // Both write at the same time, in the same place. Each without a pause, in which half of the words would be saved.
    await note(other).press('ControlOrMeta+End');
    await Promise.all([page.keyboard.insertText(' It rained.'), other.keyboard.insertText(' We laughed.')]);
    const words = async (who: Partner) => (await notesOf(who, date.id)) ?? '';
    for (const part of ['Lamps. You stopped for every one.', 'It rained.', 'We laughed.'])
      await expect.poll(() => words(ada)).toContain(part);
    const saved = await words(ada);
    for (const one of [page, other]) await expect.poll(() => note(one).inputValue()).toBe(saved);
    await note(page).fill('x'.repeat(1001));
    await page.getByText('Notes cannot exceed 1000 characters').waitFor();
    await page.getByText('1001 / 1000').waitFor();
  });

  it('saves all words of a note whose words are a part of the partner’s, and none twice after a lost answer', {
    tags: ['datemode.8'],
  }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await page.route('**/api/events', (route) => route.abort());
    await page.goto(path);
    await expect.poll(() => note(page).inputValue()).toBe('');
    const body = { plannedDateTime: date.plannedDateTime, notes: 'I know' };
    await ben.call('PUT /api/PlannedDates/{id}', { params: { id: date.id }, body });
    await note(page).fill('no');
    await expect.poll(() => notesOf(ben, date.id)).toBe('I know\nno');
    await expect.poll(() => note(page).inputValue()).toBe('I know\nno');
    await answerOnce(page, `PUT /api/PlannedDates/${date.id}`, 'lost');
    await note(page).press('End');
    await note(page).pressSequentially(', really');
    await page.getByText('Waits on this device until we can reach our album').waitFor();
    expect(await notesOf(ben, date.id)).toBe('I know\nno, really');
    await note(page).pressSequentially('. Yes');
    await expect.poll(() => notesOf(ben, date.id)).toBe('I know\nno, really. Yes');
  });

  it('ends the date at the chosen time, and leads to its details', { tags: ['datemode.11'] }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const [page, other] = [await here.openAs(ada, PHONE), await here.openAs(ben, DESKTOP)];
    await page.clock.install();
    await gotoLive(page, path);
    await gotoLive(other, path);
    // From the start, and not from here: a busy machine takes long to come here.
    await page.clock.pauseAt(Date.parse(date.actualStartTime ?? '') + 90 * 60_000);
    await page.clock.resume();
    await note(page).pressSequentially('Home at last.');
    await button(page, 'End our date').first().click();
    const dialog = page.getByRole('alertdialog', { name: 'When did our date end?' });
    await dialog.getByText('1 hour 30 minutes').waitFor();
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual([
      'Now',
      '30 minutes ago',
      '1 hour ago',
      'Stay a little',
      'End our date',
    ]);
    expect(await findIssuesAtEverySize(page, 'the end')).toEqual([]);
    await dialog.getByRole('button', { name: 'Stay a little' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await button(page, 'End our date').click();
    // The server's clock has not moved on: half an hour ago is still an hour ahead of it.
    await dialog.getByRole('button', { name: 'End our date' }).click();
    await dialog.getByText('End time cannot be in the future').waitFor();
    expect(await notesOf(ben, date.id)).toBe('Home at last.');
  });

  it('says why it cannot end a date that the partner has just deleted', { tags: ['dates.complete.7'] }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    // The press is quicker than the live change.
    await page.route('**/api/events', (route) => route.abort());
    await page.goto(path);
    await button(page, 'End our date').click();
    await ben.call('DELETE /api/PlannedDates/{id}', { params: { id: date.id } });
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'End our date' }).click();
    await dialog.getByRole('alert').getByText('Planned date not found').waitFor();
  });

  it('shows on the other phone that the date has ended', { tags: ['datemode.11'] }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const [page, other] = [await here.openAs(ada, PHONE), await here.openAs(ben, DESKTOP)];
    await gotoLive(page, path);
    await gotoLive(other, path);
    await button(page, 'End our date').click();
    // The notice is gone after five seconds.
    const notice = page.getByText('Completed! One more date to remember.').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End our date' }).click();
    await Promise.all([notice, page.waitForURL((url) => url.pathname === `/planned-dates/${date.id}`)]);
    await other.getByText('Our date has ended. It is in our album now.').waitFor();
    await other.getByRole('link', { name: 'View Details' }).waitFor();
  });

  it('works without a network, even if it was never opened: photographs and the note wait, and are sent later', {
    tags: ['datemode.13'],
  }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const page = await here.openAs(ada, { ...PHONE, serviceWorkers: 'allow' });
    await page.goto('/dashboard');
    await page.getByRole('link', { name: /Lantern walk/ }).waitFor();
    await untilControlled(page);
    await expect.poll(() => isKnownOffline(page)).toBe(true);
    await page.context().setOffline(true);
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'Lantern walk' }).waitFor();
    await page.getByText('No network here.').waitFor();
    await takePhotos(page, 2);
    await note(page).fill('No signal by the river.');
    await page
      .getByText('2 photographs and the note wait on this device and are sent later.', { exact: false })
      .waitFor();
    expect(await findIssuesAtEverySize(page, 'offline')).toEqual([]);
    // They survive a closed page, and are sent from any screen.
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(2);
    await expect.poll(() => keptWords(page, 'date-mode')).toMatchObject([{ text: 'No signal by the river.' }]);
    await page.reload();
    await expect.poll(() => note(page).inputValue()).toBe('No signal by the river.');
    await page.getByText('2 so far').waitFor();
    await page.goto('/stats');
    await page.context().setOffline(false);
    await expect.poll(() => notesOf(ben, date.id), RECONNECT).toBe('No signal by the river.');
    await expect
      .poll(
        async () => (await ben.call('GET /api/Memories', { query: { plannedDateId: date.id } })).body.length,
        RECONNECT,
      )
      .toBe(2);
    await page.goto(path);
    await page.getByText('2 so far').waitFor();
    expect(await page.getByText('No network here.').count()).toBe(0);
  });

  it('keeps words that arrive after the partner has ended the date', { tags: ['datemode.8'] }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await gotoLive(page, path);
    await page.route('**/api/PlannedDates/**', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await note(page).pressSequentially('Almost lost.');
    await page.getByText('Waits on this device until we can reach our album').waitFor();
    await ben.call('POST /api/PlannedDates/{id}/complete', {
      params: { id: date.id },
      body: { actualEndTime: new Date().toISOString() },
    });
    await page.getByText('Our date has ended. It is in our album now.').waitFor();
    await page.getByRole('heading', { name: 'Words that were not saved' }).waitFor();
    await page.getByText('Almost lost.').waitFor();
    await page.reload();
    await page.getByText('Almost lost.').waitFor();
    await button(page, 'Discard').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => page.getByText('Almost lost.').count()).toBe(0);
  });

  it('keeps the screen awake, also after the page was hidden', { tags: ['datemode.12'] }, async () => {
    const { ada, path } = await outTogether();
    const page = await here.openAs(ada, PHONE);
    await page.addInitScript(() => {
      const locks: { released: boolean }[] = [];
      const request = async () => {
        const lock = { released: false, release: async () => void (lock.released = true) };
        locks.push(lock);
        return lock;
      };
      Object.defineProperty(navigator, 'wakeLock', { value: { request } });
      Object.assign(globalThis, { locks });
    });
    const held = () =>
      page.evaluate(() =>
        (globalThis as unknown as { locks: { released: boolean }[] }).locks.map((one) => one.released),
      );
    await page.goto(path);
    await expect.poll(held).toEqual([false]);
    await page.evaluate(() => {
      for (const lock of (globalThis as unknown as { locks: { released: boolean }[] }).locks) lock.released = true;
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(held).toEqual([true, false]);
    await button(page, 'Back').click();
    await expect.poll(held).toEqual([true, true]);
  });

  it('is accessible at three widths, with and without a place, photographs and an end', {
    tags: ['datemode.1'],
  }, async () => {
    const full = await outTogether({ notes: 'You stopped for every lamp.' });
    for (const seed of [1, 2, 3, 4, 5, 6, 7]) await addPhoto(full.ada, full.date.id, seed, `Lamp ${seed}`);
    const bare = await registerCouple(here.app);
    const long = 'The slow Sunday we keep promising each other: '.repeat(4).trim();
    const plain = await startDate(bare.ada, { idea: { title: long }, at: Date.now() });
    const planned = await planDate(bare.ada, { idea: { title: 'Not yet' } });
    const [page, other] = [await here.openAs(full.ada), await here.openAs(bare.ada)];
    await page.goto(full.path);
    await page.getByText('7 so far').waitFor();
    const shown = page
      .getByRole('list', { name: 'Photographs so far' })
      .getByRole('listitem')
      .filter({ visible: true });
    for (const [width, count] of [
      [360, 3],
      [768, 6],
      [1280, 6],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => shown.count()).toBe(count);
    }
    const found = await findIssuesAtEverySize(page, 'full');
    for (const [path, text] of [
      [`/planned-dates/${plain.id}/now`, 'None yet.'],
      [`/planned-dates/${planned.id}/now`, 'This date has not begun yet.'],
      ['/planned-dates/unknown/now', 'Date not found.'],
    ] as const) {
      await other.goto(path);
      await other.getByText(text).waitFor();
      found.push(...(await findIssuesAtEverySize(other, path)));
    }
    expect(found).toEqual([]);
  });
});
