import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/base/durations.ts';
import { findPageIssues } from '../../support/accessibility.ts';
import { FAKE_CAMERA } from '../../support/chromium.ts';
import { addPhoto, startDate } from '../../support/factories.ts';
import { gotoLive, RECONNECT, untilControlled } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { DESKTOP, PHONE } from '../../support/use-chromium.ts';
import { isKnownOffline, keptWords } from '../stored-rows.ts';
import { takePhotos } from '../take-photos.ts';
import { keptPhotos } from '../upload-page.ts';

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
    expect(await findPageIssues(page, 'offline')).toEqual([]);
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
    await expect.poll(() => page.getByText('No network here.').count()).toBe(0);
  });
});
