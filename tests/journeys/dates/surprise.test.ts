import type { Page, Request } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../src/base/durations.ts';
import { expectNoViolations } from '../../support/accessibility.ts';
import { addIdea, planDate } from '../../support/factories.ts';
import { gotoLive, RECONNECT, untilControlled } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { DESKTOP, PHONE } from '../../support/use-chromium.ts';
import { isKnownOffline } from '../stored-rows.ts';

const HIDDEN = {
  idea: { title: 'Zeppelin over Friedrichshafen', description: 'Quixotic altitude', category: 'Adventure' as const },
  location: 'Hangar Umbra',
  notes: 'Bring the vermilion scarf',
};
/** Words that may be nowhere on the partner's device. The idea itself is known to both. */
const WORDS = /Hangar|Umbra|vermilion|scarf/;

/** Surprises. Ben plans them, and Ada is surprised. */
describe('a surprise', () => {
  let ahead = 0;
  const here = useApp({ now: () => Date.now() + ahead });
  let ada: Partner;
  let ben: Partner;
  beforeEach(async () => {
    ahead = 0;
    ({ ada, ben } = await registerCouple(here.app));
  });

  const parcel = (page: Page) => page.getByText('A surprise from Ben.');
  const ticket = (page: Page) => page.getByRole('heading', { name: HIDDEN.idea.title });
  const unwrapping = (page: Page) => page.getByTestId('unwrapping');
  const announced = (page: Page) =>
    page.getByRole('status').getByText(`The surprise from Ben is open: ${HIDDEN.idea.title}.`);
  const plan = (at: number) => planDate(ben, { ...HIDDEN, at, surprise: true });

  it('that is planned with the checkbox is a parcel everywhere to the partner, and nothing else on the device', {
    tags: ['dates.surprises.7', 'secrets.surprises.10'],
  }, async () => {
    const idea = await addIdea(ben, HIDDEN.idea);
    const his = await here.openAs(ben, { ...DESKTOP, name: 'Ben' });
    await his.goto(`/date-ideas/${idea.id}/plan`);
    await his.getByLabel('Location').fill(HIDDEN.location);
    await his.getByLabel('Notes').fill(HIDDEN.notes);
    const box = his.getByRole('checkbox', { name: 'Keep it a surprise' });
    expect(await box.isChecked()).toBe(false);
    await box.check();
    await his.getByText('Ada sees only the day and the time, until it begins or you tell.').waitFor();
    await his.getByText('What Ada sees').first().waitFor();
    await expectNoViolations(his);
    await his.getByRole('button', { name: 'Plan This Date' }).click();
    await his.waitForURL(/\/planned-dates\/[0-9a-f-]{36}$/);
    await his.getByText('Ada sees the day and the time, nothing else.').waitFor();
    const id = new URL(his.url()).pathname.split('/').at(-1) ?? '';

    const hers = await here.openAs(ada, { ...PHONE, name: 'Ada', serviceWorkers: 'allow' });
    const look = async (path: string) => {
      await hers.goto(path);
      await parcel(hers).first().waitFor();
      await hers.getByText('Keep this evening free.').first().waitFor();
      expect(await hers.content()).not.toMatch(WORDS);
      expect(await hers.content()).not.toContain(HIDDEN.idea.title);
      await expectNoViolations(hers);
    };
    await look('/planned-dates');
    const article = hers.getByRole('article');
    expect(await article.getByRole('button').count()).toBe(0);
    expect(await article.getByRole('link').allInnerTexts()).toEqual(['View Details']);
    expect((await article.getByRole('link').boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await hers.getByText('1 date found').waitFor();
    await look('/dashboard');
    await look(`/planned-dates/${id}`);
    await hers.getByText(/^Ben has planned this one\. It opens by itself when it begins, at the latest on /).waitFor();
    await hers.getByRole('button', { name: 'Add to calendar' }).waitFor();
    expect(await hers.getByRole('link', { name: /Memory|Edit/ }).count()).toBe(0);
    for (const form of ['edit', 'complete']) {
      await look(`/planned-dates/${id}/${form}`);
      await hers.getByText('This date is a surprise. Only Ben can change it.').waitFor();
      expect(await hers.getByRole('textbox').count()).toBe(0);
    }
    await hers.goto(`/memories/upload/${id}`);
    await expect.poll(() => hers.getByLabel('Which magical date are these memories from?').isEnabled()).toBe(true);
    expect(await hers.getByRole('option').allInnerTexts()).toEqual(['Select a date...']);
    await expect.poll(() => isKnownOffline(hers)).toBe(true);
    await expect.poll(() => everythingStored(hers)).toContain('A surprise');
    expect(await everythingStored(hers)).not.toMatch(WORDS);
  });

  it('is unwrapped on both screens when it is started, once', { tags: ['dates.surprises.9'] }, async () => {
    const { id } = await plan(Date.now() + DAY);
    const hers = await here.openAs(ada, { ...PHONE, name: 'Ada' });
    const home = await here.openAs(ada, { ...DESKTOP, name: 'Ada at home' });
    const his = await here.openAs(ben, { ...DESKTOP, name: 'Ben' });
    await gotoLive(home, '/dashboard');
    await parcel(home).waitFor();
    await gotoLive(hers, '/planned-dates');
    await parcel(hers).waitFor();
    await gotoLive(his, `/planned-dates/${id}`);
    await his.getByRole('article').getByText('Surprise', { exact: true }).waitFor();
    await his.getByRole('button', { name: 'Start Date' }).click();
    for (const page of [hers, his]) {
      await ticket(page).first().waitFor();
      await unwrapping(page).waitFor({ state: 'attached' });
      await expectNoViolations(page);
    }
    await announced(hers).waitFor({ state: 'attached' });
    expect(await announced(hers).count()).toBe(1);
    await his
      .getByRole('status')
      .getByText(`Our surprise is open: ${HIDDEN.idea.title}.`)
      .waitFor({ state: 'attached' });
    await home.getByRole('heading', { name: 'Our Date, Right Now' }).waitFor();
    await unwrapping(home).waitFor({ state: 'attached' });
    await expectNoViolations(home);
    for (const page of [hers, his]) {
      await page.reload();
      await ticket(page).first().waitFor();
      expect(await unwrapping(page).count()).toBe(0);
    }
  });

  it('is asked for again while the clock of the device is ahead, and when the app comes back', {
    tags: ['dates.surprises.10'],
  }, async () => {
    await plan(Date.now() + 2 * HOUR);
    const page = await here.openAs(ada, PHONE);
    // A stream that seems silent, because the clock is advanced, is replaced, and then a hidden page asks too.
    await page.route('**/api/events', (route) => route.fulfill({ status: 503 }));
    await page.clock.install();
    await page.goto('/planned-dates');
    await parcel(page).waitFor();
    let asked = 0;
    let ended = 0;
    const countOf = (request: Request) => Number(request.url().endsWith('/api/PlannedDates'));
    page.on('request', (request) => {
      asked += countOf(request);
    });
    const countEnd = (request: Request) => {
      ended += countOf(request);
    };
    page.on('requestfinished', countEnd).on('requestfailed', countEnd);
    await page.clock.fastForward(2 * HOUR);
    const askedAgain = async () => {
      await page.clock.fastForward(30_000);
      return asked;
    };
    await expect.poll(askedAgain).toBeGreaterThan(3);
    expect(await parcel(page).count()).toBe(1);
    await show(page, false);
    // The server must not answer an earlier request at the later time.
    await expect.poll(() => asked - ended).toBe(0);
    ahead = 3 * HOUR;
    await page.clock.fastForward(60_000);
    expect(await parcel(page).count()).toBe(1);
    await show(page, true);
    await ticket(page).waitFor();
    await unwrapping(page).waitFor({ state: 'attached' });
  });

  it('is planned offline, and sent as a surprise', { tags: ['dates.surprises.5'] }, async () => {
    const idea = await addIdea(ben, HIDDEN.idea);
    const page = await here.openAs(ben, { serviceWorkers: 'allow' });
    await page.goto(`/date-ideas/${idea.id}/plan`);
    await untilControlled(page);
    await page.getByLabel('Keep it a surprise').check();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await page.waitForURL('**/planned-dates');
    const waiting = page.getByRole('region', { name: 'Waiting to be sent' });
    await waiting.getByText('Ada sees only the day and the time, until it begins or you tell.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('1 date found').waitFor(RECONNECT);
    const { body } = await ada.call('GET /api/PlannedDates');
    expect(body.map(({ dateIdea, surprise }) => [dateIdea.title, surprise])).toEqual([
      ['A surprise', { mine: false, revealed: false }],
    ]);
  });

  it('is part of a draft', { tags: ['dates.surprises.5'] }, async () => {
    const idea = await addIdea(ben, HIDDEN.idea);
    const page = await here.openAs(ben);
    await page.goto(`/date-ideas/${idea.id}/plan`);
    await page.getByLabel('Keep it a surprise').check();
    page.on('dialog', (dialog) => void dialog.accept());
    // The notice is gone after five seconds.
    await Promise.all([page.getByText('We restored what you had written.').waitFor(), page.reload()]);
    await expect.poll(() => page.getByLabel('Keep it a surprise').isChecked()).toBe(true);
  });
});

/** Hides the page as if another app were in front of it, or shows it again. */
function show(page: Page, visible: boolean): Promise<void> {
  return page.evaluate((is) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => !is });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (is ? 'visible' : 'hidden') });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, visible);
}

/** Everything that the page has stored on the device, as text: IndexedDB, Cache Storage, localStorage, sessionStorage. */
function everythingStored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(request.error?.message));
      });
    const found: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage)];
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await answer(indexedDB.open(name));
      for (const store of db.objectStoreNames)
        found.push(name, await answer(db.transaction(store).objectStore(store).getAll()));
      db.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        const type = response?.headers.get('content-type') ?? '';
        if (/json|html|text\/plain/.test(type)) found.push(request.url, await response?.text());
      }
    }
    return JSON.stringify(found);
  });
}
