import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoViolations } from '../../support/accessibility.ts';
import { FAKE_CAMERA } from '../../support/chromium.ts';
import { RECONNECT, untilControlled } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { DESKTOP } from '../../support/use-chromium.ts';
import { registerCoupleOnDate } from '../register-couple-on-date.ts';
import { signIn } from '../sign-in.ts';
import { isKnownOffline, keptWords } from '../stored-rows.ts';
import { takePhotos } from '../take-photos.ts';
import {
  chooseFor,
  countOf,
  isRunKept,
  keptPhotos,
  makePhotoFile,
  newDate,
  saveButton,
  succeeded,
} from '../upload-page.ts';

/** Two users of one device, one after the other: a session may end without signing out. */
describe('what a user left unsent on a device that another one uses', () => {
  const here = useApp({ args: FAKE_CAMERA });

  const outTogether = () => registerCoupleOnDate(here.app);
  const note = (page: Page) => page.getByLabel('A note, saved as we write');
  const notes = async (page: Page) =>
    ((await keptWords(page, 'date-mode')) as { text: string }[]).map(({ text }) => text).toSorted();

  /** Ada leaves a photograph, a note and an idea that are not sent. Her session ends, and the page asks to sign in. */
  const leaveUnsent = async (page: Page, ada: Partner, path: string) => {
    await page.goto(path);
    await untilControlled(page);
    await expect.poll(() => isKnownOffline(page)).toBe(true);
    await page.context().setOffline(true);
    await page.getByText('No network here.').waitFor();
    await takePhotos(page);
    await note(page).fill('Hers');
    await expect.poll(() => notes(page)).toEqual(['Hers']);
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(1);
    await page.goto('/date-ideas/add');
    await page.getByLabel('Title').fill('Only of Ada');
    await page.getByRole('button', { name: 'Save Idea' }).click();
    await page.getByRole('region', { name: 'Waiting to be sent' }).getByText('Only of Ada').waitFor();
    await ada.call('POST /api/auth/logout');
    await page.context().setOffline(false);
    await page.getByLabel('Email').waitFor(RECONNECT);
  };
  const endSession = async (page: Page) => {
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel('Email').waitFor();
  };

  it('stays for them, is not shown to the other one, and is sent when they sign in again', {
    tags: ['accounts.signout.4'],
  }, async () => {
    const { ada, ben, date, path } = await outTogether();
    const page = await here.openAs(ada, { ...DESKTOP, serviceWorkers: 'allow' });
    await leaveUnsent(page, ada, path);
    await signIn(page, ben);
    await page.goto('/date-ideas');
    await page.getByText('1 idea found').waitFor();
    expect(await page.getByText('Only of Ada').count()).toBe(0);
    expect(await page.getByText('waiting to be sent').count()).toBe(0);
    await page.goto('/memories/upload');
    await page.getByText('Drag and drop').waitFor();
    await expect.poll(() => isKnownOffline(page)).toBe(true);
    expect(await page.getByRole('heading', { name: /We kept/ }).count()).toBe(0);
    // His note of the same date does not replace hers.
    await page.goto(path);
    await page.getByText('None yet.').waitFor();
    await page.context().setOffline(true);
    await note(page).fill('His');
    await expect.poll(() => notes(page)).toEqual(['Hers', 'His']);
    await page.context().setOffline(false);
    await expect.poll(() => notes(page), RECONNECT).toEqual(['Hers']);
    expect(await keptPhotos(page)).toHaveLength(1);
    await endSession(page);
    await signIn(page, ada);
    const album = async () => (await ben.call('GET /api/Memories', { query: { plannedDateId: date.id } })).body;
    await expect.poll(async () => (await album()).length, RECONNECT).toBe(1);
    const saved = async () => (await ben.call('GET /api/PlannedDates/{id}', { params: { id: date.id } })).body.notes;
    await expect.poll(saved, RECONNECT).toContain('Hers');
    expect(await saved()).toContain('His');
    const ideas = async () => (await ben.call('GET /api/DateIdeas')).body.map(({ title }) => title).toSorted();
    await expect.poll(ideas, RECONNECT).toEqual(['Lantern walk', 'Only of Ada']);
    await expect.poll(() => notes(page)).toEqual([]);
  });

  it('is counted before the other one signs out, leaves or deletes the space', {
    tags: ['accounts.signout.5', 'datemode.9'],
  }, async () => {
    const { ada, ben, path } = await outTogether();
    const page = await here.openAs(ada, { ...DESKTOP, serviceWorkers: 'allow' });
    await leaveUnsent(page, ada, path);
    await signIn(page, ben);
    await page.goto('/settings');
    const what =
      'What we added while offline has not been sent yet. 1 note typed during a date has not been saved yet. 1 photo taken here has not been sent yet. All of this is from another person who signed in on this device.';
    const stay = async (sure: string) => {
      const question = page.getByRole('alertdialog', { name: `${what} Are you sure you want to ${sure}?` });
      await question.waitFor();
      await expectNoViolations(page);
      await question.getByRole('button', { name: 'Stay' }).click();
      await question.waitFor({ state: 'detached' });
    };
    const leaving = page.getByRole('region', { name: 'Leaving' });
    for (const [opens, does, sure] of [
      ['Leave our space', 'Leave', 'leave our space'],
      ['Delete our space', 'Delete in 30 days', 'delete our space'],
    ] as const) {
      await leaving.getByRole('button', { name: opens }).click();
      await leaving.getByLabel('Your password').fill(ben.password);
      await leaving.getByRole('button', { name: does, exact: true }).click();
      await stay(sure);
      await leaving.getByRole('button', { name: 'Keep' }).click();
    }
    expect((await ben.call('GET /api/couple/deletion')).body).toBeNull();
    const signOut = page.getByRole('main').getByRole('button', { name: 'Sign out' }).first();
    await signOut.click();
    await stay('sign out');
    expect(await keptPhotos(page)).toHaveLength(1);
    await signOut.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  });

  it('is an upload that goes on when they sign in again', { tags: ['accounts.signout.4'] }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const dateId = await newDate(ada);
    const page = await here.openAs(ada, DESKTOP);
    await page.route('**/api/Memories', (route) =>
      route.request().method() === 'POST' ? undefined : route.fallback(),
    );
    await chooseFor(page, dateId, [await makePhotoFile('hers.jpg', 31)]);
    await saveButton(page).click();
    await page.getByText('0 of 1 uploaded').waitFor();
    await expect.poll(() => isRunKept(page)).toBe(true);
    page.on('dialog', (dialog) => void dialog.accept());
    await endSession(page);
    await page.unroute('**/api/Memories');
    await signIn(page, ben);
    await chooseFor(page, dateId, [await makePhotoFile('his.jpg', 32)]);
    await saveButton(page).click();
    await succeeded(page);
    await endSession(page);
    await signIn(page, ada);
    await page.goto('/memories/upload');
    await expect.poll(() => countOf(ben, dateId)).toBe(2);
  });
});
