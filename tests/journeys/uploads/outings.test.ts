import { describe, expect, it } from 'vitest';
import { findPageIssues } from '../../support/accessibility.ts';
import { completeDate } from '../../support/factories.ts';
import { makeJpeg } from '../../support/images.ts';
import { registerAda } from '../../support/register-couple.ts';
import { useCouple } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';
import { keptWords } from '../stored-rows.ts';
import { choose, makePhotoFile, saveButton, succeeded } from '../upload-page.ts';

/** Photographs of a past without dates become dates. */
describe('photos of a past without dates', () => {
  const us = useCouple({ timeZone: 'Europe/Rome' });
  const takenAt = async (name: string, seed: number, time: string) => ({
    ...(await makePhotoFile(name)),
    buffer: await makeJpeg({ seed, takenAt: time }),
  });

  it('keep what was written while we are offline, and until we have signed in again', {
    tags: ['uploads.outings.3'],
  }, async () => {
    const user = await registerAda(us.app, `somebody-${Date.now()}@example.org`);
    const page = await us.openAs(user, PHONE);
    await page.goto('/memories/upload');
    await choose(page, [await takenAt('hike.jpg', 9, '2018:05:03 10:00:00')]);
    const hike = page.getByRole('listitem', { name: 'Thursday, May 3, 2018' });
    const title = hike.getByLabel('What did we do?');
    const add = hike.getByRole('button', { name: 'Add This Date' });
    // The code that reads capture times is loaded after the choice.
    await add.waitFor();
    await page.context().setOffline(true);
    await title.fill('The long way up');
    await add.click();
    await page.getByRole('alert').getByText('What you wrote is still here.').waitFor();
    expect(await title.inputValue()).toBe('The long way up');
    await page.context().setOffline(false);

    // The page learns at once that its session has ended.
    await user.call('POST /api/auth/logout');
    await page.waitForURL(/\/auth\/login\?returnUrl=/);
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/memories/upload');
    const restore = page.getByRole('button', { name: 'Restore' });
    await restore.or(hike).first().waitFor();
    if (await restore.isVisible()) await restore.click();
    await expect.poll(() => title.inputValue()).toBe('The long way up');
    await add.click();
    await page.getByRole('status').getByText('1 date added to our story.').waitFor();
  });

  it('are found once the connection is back if we chose them offline', {
    tags: ['uploads.choosing.12'],
  }, async () => {
    const page = await us.open(PHONE);
    await page.goto('/memories/upload');
    await page.getByText('Select a date...').waitFor({ state: 'attached' });
    await page.context().setOffline(true);
    await choose(page, [await takenAt('lake.jpg', 10, '2017:07:08 10:00:00')]);
    await page.getByText('1 photo selected').waitFor();
    expect(await page.getByRole('button', { name: 'Add This Date' }).count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByRole('listitem', { name: 'Saturday, July 8, 2017' }).getByText('1 photo').waitFor();
  });

  it('become dates of our story, and what was typed survives a reload', {
    tags: ['uploads.outings.2', 'uploads.outings.3'],
  }, async () => {
    await completeDate(us.ada, { idea: { title: 'The fair' }, at: '2026-10-17T14:00:00Z', minutes: 60 });
    const page = await us.open(PHONE);
    await page.goto('/memories/upload');
    await choose(page, [
      await takenAt('party-2.jpg', 1, '2019:06:02 01:12:00'),
      await takenAt('party-1.jpg', 2, '2019:06:01 21:03:00'),
      await takenAt('swim.jpg', 3, '2020:08:11 10:00:00'),
      await takenAt('fair.jpg', 4, '2026:10:17 16:20:00'),
    ]);
    const party = page.getByRole('listitem', { name: 'Saturday, June 1, 2019' });
    const swim = page.getByRole('listitem', { name: 'Tuesday, August 11, 2020' });
    await party.getByText('2 photos').waitFor();
    await party.getByText('9:00 PM – 1:15 AM').waitFor();
    await page.getByRole('heading', { name: 'We found the date of 1 photo' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Add This Date' }).count()).toBe(2);
    expect(await findPageIssues(page, 'outings')).toEqual([]);
    await swim.getByRole('button', { name: 'Add This Date' }).click();
    await swim.getByText('Please say what we did').waitFor();

    await party.getByLabel('What did we do?').fill('The garden party');
    await party.getByLabel('Category').selectOption('Outdoor');
    await party.getByLabel('Location').fill('At Nora’s');
    // The device stores each key press as soon as it can.
    await expect.poll(async () => JSON.stringify(await keptWords(page, 'outings'))).toContain('At Nora’s');
    await page.reload();
    const restore = page.getByRole('button', { name: 'Restore' });
    await restore.or(party).first().waitFor();
    if (await restore.isVisible()) await restore.click();
    await expect.poll(() => party.getByLabel('What did we do?').inputValue()).toBe('The garden party');
    await expect.poll(() => party.getByLabel('Location').inputValue()).toBe('At Nora’s');
    expect((await us.ben.call('GET /api/PlannedDates')).body).toHaveLength(1);

    await page.getByRole('button', { name: 'Add 1 Date' }).waitFor();
    await swim.getByLabel('What did we do?').fill('A swim');
    await page.getByRole('button', { name: 'Add 2 Dates' }).click();
    await page.getByRole('status').getByText('2 dates added to our story.').waitFor();
    await page.getByRole('link', { name: 'See our story' }).waitFor();
    await party.waitFor({ state: 'detached' });
    const { body: dates } = await us.ben.call('GET /api/PlannedDates');
    expect(
      dates.map(({ dateIdea, actualStartTime, actualEndTime, location }) => [
        dateIdea.title,
        dateIdea.category,
        actualStartTime,
        actualEndTime,
        location,
      ]),
    ).toEqual([
      ['The fair', expect.any(String), expect.any(String), expect.any(String), null],
      ['A swim', 'Romantic', '2020-08-11T08:00:00.000Z', '2020-08-11T08:30:00.000Z', null],
      ['The garden party', 'Outdoor', '2019-06-01T19:00:00.000Z', '2019-06-01T23:15:00.000Z', 'At Nora’s'],
    ]);

    await page.getByRole('button', { name: 'Sort them in' }).click();
    await saveButton(page).click();
    await succeeded(page);
    await page.waitForURL('**/memories?sort=story-desc');
    const { body: after } = await us.ben.call('GET /api/PlannedDates');
    expect(after.map(({ memoryCount }) => memoryCount)).toEqual([1, 1, 2]);
    const { body: story } = await us.ben.call('GET /api/Memories', { query: { sort: 'story-asc' } });
    expect(story.map(({ originalFileName }) => originalFileName)).toEqual([
      'party-1.jpg',
      'party-2.jpg',
      'swim.jpg',
      'fair.jpg',
    ]);
  });
});
