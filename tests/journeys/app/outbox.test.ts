import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { OUTBOX } from '../../../src/base/web/storage/device-store.ts';
import { expectNoViolations } from '../../support/accessibility.ts';
import { focusedId, keepNotices, untilControlled } from '../../support/browser.ts';
import { type Partner, registerAda, registerCouple } from '../../support/client.ts';
import { addIdea, planDate } from '../../support/factories.ts';
import { useApp } from '../../support/use-app.ts';
import { isKnownOffline, keptWords, RECONNECT, storedRows } from '../stored-rows.ts';

/** Whether the page's outbox can't be opened, and how often that has failed. */
declare const outboxState: { broken: boolean; failures: number };

const KEPT = 'We are offline. Our idea is saved on this device and will be sent when we are online again.';

/** The server's reply while the first request with a key is still running. */
const STILL_RUNNING = {
  status: 409,
  headers: { 'content-type': 'application/problem+json', 'retry-after': '1' },
  body: JSON.stringify({ message: 'The first request with this Idempotency-Key is still running.' }),
};

/** The server's reply to a key whose idea was deleted. */
const DELETED_SINCE = {
  status: 410,
  headers: { 'content-type': 'application/problem+json' },
  body: JSON.stringify({ message: 'This was saved before, and deleted since.' }),
};

/** Overrides the browser's connection status. */
const sayOnline = (page: Page, online: boolean) =>
  page.evaluate((now) => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => now });
    window.dispatchEvent(new Event(now ? 'online' : 'offline'));
  }, online);

/** Adding data while the browser reports that it is offline. */
describe('an entry added offline', () => {
  const here = useApp();

  async function installed(who: Partner): Promise<Page> {
    const page = await here.openAs(who, { serviceWorkers: 'allow' });
    await keepNotices(page);
    await page.goto('/date-ideas');
    await untilControlled(page);
    await page.getByRole('heading', { name: 'Date Ideas', level: 1 }).waitFor();
    await expect.poll(() => isKnownOffline(page)).toBe(true);
    return page;
  }

  async function write(page: Page, title: string): Promise<void> {
    await page.goto('/date-ideas/add');
    await save(page, title);
  }

  async function save(page: Page, title: string): Promise<void> {
    await page.getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Save Idea' }).click();
    await page.getByRole('status').getByText(KEPT).waitFor();
    await page.getByRole('region', { name: 'Waiting to be sent' }).getByText(title).waitFor();
  }

  async function planOffline(page: Page, ideaId: string): Promise<void> {
    await page.goto(`/date-ideas/${ideaId}/plan`);
    await page.getByLabel('Notes').waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Notes').fill('The table by the window');
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await page.waitForURL('**/planned-dates');
  }

  /** Adds an idea and plans a date from it, both offline. */
  async function planNewIdea(page: Page, title: string, location: string): Promise<void> {
    await write(page, title);
    await page.getByRole('link', { name: 'Plan This Date' }).click();
    await page.getByRole('heading', { name: title }).first().waitFor();
    await page.getByLabel('Location').fill(location);
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await page.waitForURL('**/planned-dates');
  }

  const titles = async (who: Partner) =>
    (await who.call('GET /api/DateIdeas')).body.map(({ title }) => title).toReversed();

  it('is kept, shown as waiting, and sent once and in order when the connection is back, even after a reload', {
    tags: ['screens.offline.6'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await installed(ada);
    await page.context().setOffline(true);
    await write(page, 'First of three');
    await write(page, 'Second of three');
    await page.reload();
    await page.getByRole('status').getByText('2 things waiting to be sent.').waitFor();
    await write(page, 'Third of three');
    // A second tab shows the same entries, and sends nothing twice.
    const second = await page.context().newPage();
    await second.goto('/date-ideas');
    await second.getByRole('status').getByText('3 things waiting to be sent.').waitFor();
    expect(await titles(ada)).toEqual([]);

    await page.context().setOffline(false);
    await page.getByText('3 ideas found').waitFor(RECONNECT);
    await second.getByText('3 ideas found').waitFor(RECONNECT);
    expect(await titles(ada)).toEqual(['First of three', 'Second of three', 'Third of three']);
    await expect.poll(() => page.getByRole('region', { name: 'Waiting to be sent' }).count()).toBe(0);
  });

  it('is kept even if the browser could not open its database at first', async () => {
    const { ada } = await registerCouple(here.app);
    const page = await installed(ada);
    await page.addInitScript(() => {
      const { open } = IDBFactory.prototype;
      const state = { broken: true, failures: 0 };
      Object.assign(globalThis, { outboxState: state });
      IDBFactory.prototype.open = function (name, version) {
        if (name !== 'outbox' || !state.broken) return open.call(this, name, version);
        state.failures += 1;
        throw new DOMException('The disk is busy.', 'UnknownError');
      };
    });
    await page.goto('/date-ideas/add');
    await page.waitForFunction(() => outboxState.failures > 0);
    await page.evaluate(() => {
      outboxState.broken = false;
    });
    await page.context().setOffline(true);
    await save(page, 'Kept after all');
  });

  it('asks the browser to keep what is stored', { tags: ['screens.offline.11'] }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await installed(ada);
    await page.addInitScript(() => {
      StorageManager.prototype.persist = () => {
        Object.assign(globalThis, { isPersistent: true });
        return Promise.resolve(true);
      };
    });
    await page.context().setOffline(true);
    await page.goto('/date-ideas/add');
    await page.getByLabel('Title').waitFor();
    const isPersistent = () => page.evaluate(() => 'isPersistent' in globalThis);
    expect(await isPersistent()).toBe(false);
    await save(page, 'Only here');
    expect(await isPersistent()).toBe(true);
  });

  it('can be a date planned from an idea that is waiting too', async () => {
    const { ada } = await registerCouple(here.app);
    const page = await installed(ada);
    await page.context().setOffline(true);
    await planNewIdea(page, 'A boat at dawn', 'The old jetty');
    await page.getByRole('region', { name: 'Waiting to be sent' }).getByText('The old jetty').waitFor();
    await page.context().setOffline(false);
    await page.getByText('1 date found').waitFor(RECONNECT);
    const { body } = await ada.call('GET /api/PlannedDates');
    expect(body.map(({ location, dateIdea }) => [location, dateIdea.title])).toEqual([
      ['The old jetty', 'A boat at dawn'],
    ]);
    expect(await titles(ada)).toEqual(['A boat at dawn']);
  });

  it('takes the date planned from it along when it is discarded, after saying so', {
    tags: ['screens.offline.8'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await installed(ada);
    await page.context().setOffline(true);
    await planNewIdea(page, 'A boat at dawn', 'The old jetty');
    await page.goto('/date-ideas');
    await page.getByRole('button', { name: 'Discard: A boat at dawn' }).click();
    const question = page.getByRole('alertdialog', { name: 'Discard this? It has not been saved anywhere else.' });
    await question.getByText('What we planned from it is discarded too.').waitFor();
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(async () => (await storedRows(page, 'outbox', 'calls')).keys).toEqual([]);
    // What nothing depends on is discarded alone.
    await write(page, 'A slow lunch');
    await page.getByRole('button', { name: 'Discard: A slow lunch' }).click();
    await question.waitFor();
    expect(await question.getByText('discarded too').count()).toBe(0);
  });

  it('keeps everything typed, and shows the reason, if the server refuses it', async () => {
    const { ada, ben } = await registerCouple(here.app);
    const idea = await addIdea(ben, { title: 'The slow lunch' });
    const page = await installed(ada);
    await planOffline(page, idea.id);
    // He deactivates the idea in the meantime, so no date can be planned from it.
    const { title, category } = idea;
    await ben.call('PUT /api/DateIdeas/{id}', { params: { id: idea.id }, body: { title, category, isActive: false } });
    await page.context().setOffline(false);
    const waiting = page.getByRole('region', { name: 'Waiting to be sent' });
    await waiting.getByText(/^Not saved: /).waitFor(RECONNECT);
    await waiting.getByText('The table by the window').waitFor();
    await expectNoViolations(page);
    await ben.call('PUT /api/DateIdeas/{id}', { params: { id: idea.id }, body: { title, category, isActive: true } });
    await waiting.getByRole('button', { name: 'Edit' }).click();
    await page.waitForURL('**/plan');
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('The table by the window');
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await page.waitForURL(/\/planned-dates\/[0-9a-f-]{36}/);
    await page.getByText('The table by the window').waitFor();
  });

  it('is kept until a form has taken it over, also if its idea was deleted and is added again', {
    tags: ['screens.offline.9'],
  }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const idea = await addIdea(ben, { title: 'The slow lunch' });
    await planDate(ben, { idea: idea.id });
    const page = await installed(ada);
    await planOffline(page, idea.id);
    await ben.call('DELETE /api/DateIdeas/{id}', { params: { id: idea.id } });
    await page.context().setOffline(false);
    const waiting = page.getByRole('region', { name: 'Waiting to be sent' });
    await waiting.getByText(/^Not saved: /).waitFor(RECONNECT);
    await waiting.getByRole('button', { name: 'Edit' }).click();
    await page.getByText('This idea was deleted.', { exact: false }).waitFor();
    await page.evaluate(() => history.back());
    await waiting.getByText('The table by the window').waitFor();
    await waiting.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Add it again' }).click();
    await page.waitForURL((url) => url.pathname.endsWith('/plan') && !url.pathname.includes(idea.id));
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('The table by the window');
    await expect.poll(async () => (await storedRows(page, 'outbox', 'calls')).keys).toEqual([]);
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await page.waitForURL(/\/planned-dates\/[0-9a-f-]{36}/);
    await page.getByText('The table by the window').waitFor();
  });

  it('does not come back in a form once it is discarded', {
    tags: ['screens.controls.4', 'screens.offline.9'],
  }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const { id, title, category } = await addIdea(ben, { title: 'The slow lunch' });
    const setActive = (isActive: boolean) =>
      ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body: { title, category, isActive } });
    const page = await installed(ada);
    await planOffline(page, id);
    await setActive(false);
    await page.context().setOffline(false);
    const waiting = page.getByRole('region', { name: 'Waiting to be sent' });
    await waiting.getByText(/^Not saved: /).waitFor(RECONNECT);
    await waiting.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Make it active again' }).waitFor();
    await page.evaluate(() => history.back());
    await waiting.getByRole('button', { name: /^Discard/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await waiting.waitFor({ state: 'detached' });
    await expect.poll(() => focusedId(page)).toBe('main');
    await setActive(true);
    await page.goto(`/date-ideas/${id}/plan`);
    await page.getByLabel('Notes').waitFor();
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('');
    await expect.poll(() => keptWords(page)).toEqual([]);
  });

  it('waits while the first attempt is still running, and is saved once under the same key', {
    tags: ['screens.offline.7'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    // Without the service worker, whose requests a route does not see; so the network stays, for the page's own files.
    const page = await here.openAs(ada);
    await page.goto('/date-ideas/add');
    await page.getByLabel('Title').fill('The first answer was lost');
    const keys: (string | undefined)[] = [];
    await page.route('**/api/DateIdeas', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length <= 2) return route.fulfill(STILL_RUNNING);
      return route.continue();
    });
    await sayOnline(page, false);
    await page.getByRole('button', { name: 'Save Idea' }).click();
    const waiting = page.getByRole('region', { name: 'Waiting to be sent' });
    await waiting.getByText('The first answer was lost').waitFor();
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => {
        const text = document.body.textContent;
        if (text.includes('Not saved')) seen.push(text);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await sayOnline(page, true);
    await page.getByText('1 idea found').waitFor(RECONNECT);
    expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(await titles(ada)).toEqual(['The first answer was lost']);
  });

  it('waits the same way if it was sent while online', { tags: ['screens.offline.7'] }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await here.openAs(ada);
    await page.goto('/date-ideas/add');
    const keys: (string | undefined)[] = [];
    await page.route('**/api/DateIdeas', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      // It reached the server, but the reply was lost: the page retries while the first request is still running.
      if (keys.length === 1) {
        await route.fetch();
        return route.abort('connectionreset');
      }
      return keys.length === 2 ? route.fulfill(STILL_RUNNING) : route.continue();
    });
    await page.getByLabel('Title').fill('Only once');
    await page.getByRole('button', { name: 'Save Idea' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Save Idea' }).click();
    await page.getByText('1 idea found').waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(await titles(ada)).toEqual(['Only once']);
  });

  it('counts as sent if the server created it long ago and it was deleted since', {
    tags: ['screens.offline.15'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await installed(ada);
    await page.goto('/date-ideas/add');
    await page.route('**/api/DateIdeas', (route) =>
      route.request().method() === 'POST' ? route.fulfill(DELETED_SINCE) : route.fallback(),
    );
    await sayOnline(page, false);
    await save(page, 'Deleted long ago');
    await sayOnline(page, true);
    await page.getByRole('region', { name: 'Waiting to be sent' }).waitFor({ state: 'detached', ...RECONNECT });
    expect((await storedRows(page, OUTBOX, 'calls')).keys).toEqual([]);
  });

  it('is sent after signing in again, if the session has ended', async () => {
    const ada = await registerAda(here.app, `ada-who-comes-back-${Date.now()}@example.org`);
    const page = await installed(ada);
    await page.context().setOffline(true);
    await write(page, 'Kept through it all');
    await ada.call('POST /api/auth/logout');
    await page.context().setOffline(false);
    await page.waitForURL(/\/auth\/login/, RECONNECT);
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password', { exact: true }).fill(ada.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Kept through it all' }).waitFor(RECONNECT);
    await page.getByText('1 idea found').waitFor();
  });

  it('leaves nothing on the device after signing out, and nothing to the next user', async () => {
    const { ada } = await registerCouple(here.app);
    const page = await installed(ada);
    await page.goto('/dashboard');
    await page.getByText('No memories yet!').waitFor();
    await page.context().setOffline(true);
    await write(page, 'A secret');
    await expect
      .poll(async () => {
        const before = await traces(page.context());
        return [before?.databases.toSorted(), before?.caches];
      })
      .toEqual([
        ['last-seen', 'outbox', 'unsent-photographs'],
        ['last-user', 'thumbnails'],
      ]);
    await page.goto('/settings');
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/auth\/login/);
    await page.getByLabel('Email').waitFor();
    await expect.poll(() => traces(page.context())).toEqual({ databases: [], caches: [], storage: ['leaving'] });
    await page.context().setOffline(false);
    await page.reload();
    await page.getByLabel('Email').waitFor();
    await expect.poll(() => traces(page.context())).toEqual({ databases: [], caches: [], storage: [] });
    expect(await titles(ada).catch(() => [])).toEqual([]);
  });
});

/** Returns everything that the browser stores for this origin, except for the app's own files. */
async function traces(context: BrowserContext) {
  const [page] = context.pages();
  return page?.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: (await caches.keys()).filter((name) => !name.startsWith('workbox-precache')),
    storage: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
  }));
}
