import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addIdea, addPhoto, completeDate, planDate } from '../../support/factories.ts';
import { holdRequests, letReactRender, RECONNECT, untilControlled } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { useApp } from '../../support/use-app.ts';
import type { WindowOptions } from '../../support/use-chromium.ts';
import { isKnownOffline, keptAnswers } from '../stored-rows.ts';

/** The production build with its real service worker, in a browser that goes offline. */
describe('offline', () => {
  const here = useApp();

  /** Opens a window that is controlled by the service worker, which has cached all files of the app. */
  async function installed(who: Partner, options: WindowOptions = {}): Promise<Page> {
    const page = await here.openAs(who, { serviceWorkers: 'allow', ...options });
    await page.goto('/dashboard');
    await untilControlled(page);
    await expect.poll(() => isKnownOffline(page)).toBe(true);
    return page;
  }

  const status = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text);

  it('opens, shows the last seen data, says so, and signs nobody out', {
    tags: ['screens.offline.5', 'stats.year.7'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    const date = await completeDate(ada, {
      idea: { title: 'Shooting stars' },
      at: Date.now() - 7_200_000,
      minutes: 90,
    });
    for (const seed of [1, 2]) await addPhoto(ada, date.id, seed, `Star ${seed}`);
    const year = new Date(date.plannedDateTime).getUTCFullYear();
    const unopened = await planDate(ada, { idea: { title: 'The slow lunch' }, location: 'By the sea' });
    const page = await installed(ada);
    await page.getByText('By the sea').waitFor();
    const screens: [path: string, key: unknown[], seen: () => Promise<unknown>][] = [
      ['/dashboard', ['home', 'dashboard'], () => page.getByText('By the sea').waitFor()],
      ['/date-ideas', ['ideas', 'active'], () => page.getByText('2 ideas found').waitFor()],
      ['/planned-dates', ['dates', 'list'], () => page.getByText('2 dates found').waitFor()],
      [
        `/planned-dates/${date.id}`,
        ['dates', 'one', date.id],
        () => page.getByRole('heading', { name: 'Shooting stars', level: 1 }).waitFor(),
      ],
      ['/memories', ['memories', 'album'], () => thumbnails(page)],
      ['/stats', ['stats', 'screen'], () => page.getByText('2 precious memories').waitFor()],
      [
        `/stats/${year}`,
        ['stats', 'years', String(year)],
        () => page.getByText('One date, one hour, two photographs.').waitFor(),
      ],
    ];
    for (const [path, key, seen] of screens) {
      await page.goto(path);
      await seen();
      const begins = JSON.stringify(key).slice(0, -1);
      await expect.poll(async () => (await keptAnswers(page)).some((kept) => kept.startsWith(begins))).toBe(true);
    }
    await expect.poll(() => keptThumbnails(page)).toBe(2);

    await page.context().setOffline(true);
    for (const [path, , seen] of screens) {
      await page.goto(path);
      await seen();
      await status(page, 'We are offline. This is what we saw last.').waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
    }
    // A screen that was never opened on this device has no data offline, and loads once it is online.
    await page.goto('/planned-dates');
    await page
      .getByRole('article')
      .filter({ hasText: 'The slow lunch' })
      .getByRole('link', { name: 'View Details' })
      .click();
    await page.getByText('We haven’t opened this date here before.').waitFor();
    expect(await page.getByText('Oops!').count()).toBe(0);

    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'The slow lunch', level: 1 }).waitFor(RECONNECT);
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/planned-dates/${unopened.id}`);
    await expect.poll(() => status(page, 'We are offline.').count()).toBe(0);
  });

  it('opens with what was last seen, photographs included, when the server accepts connections and never answers', {
    tags: ['screens.offline.10'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    const date = await completeDate(ada, { at: Date.now() - 7_200_000, minutes: 90 });
    for (const seed of [1, 2]) await addPhoto(ada, date.id, seed, `Star ${seed}`);
    await planDate(ada, { idea: { title: 'The slow lunch' } });
    const proxy = await startTcpProxy(here.app.url);
    try {
      const page = await installed(ada, { baseURL: new URL(proxy.url).origin });
      const screens = [
        ['/planned-dates', '["dates","list"', () => page.getByText('The slow lunch').first().waitFor()],
        ['/memories', '["memories"', () => thumbnails(page)],
      ] as const;
      for (const [path, key, seen] of screens) {
        await page.goto(path);
        await seen();
        await expect.poll(async () => (await keptAnswers(page)).some((kept) => kept.startsWith(key))).toBe(true);
      }
      await expect.poll(() => keptThumbnails(page)).toBe(2);
      proxy.silence();
      // The page waits for 8 s before it shows what it has.
      page.setDefaultTimeout(30_000);
      for (const [path, , seen] of screens) {
        await page.goto(path);
        await status(page, 'We cannot reach our album just now. This is what we saw last.').waitFor();
        await seen();
      }
    } finally {
      await proxy.close();
    }
  });

  it('says that it cannot reach our album if this device cannot read what was last seen either', {
    tags: ['screens.offline.5'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await installed(ada);
    await page.addInitScript(() => {
      const { open } = IDBFactory.prototype;
      IDBFactory.prototype.open = function (name, ...more) {
        if (name === 'last-seen') throw new DOMException('Broken', 'UnknownError');
        return open.call(this, name, ...more);
      };
    });
    await page.context().setOffline(true);
    await page.goto('/dashboard');
    await page.getByRole('alert').getByText('We could not reach our album. Nothing is lost').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Plan Our Next Date' }).waitFor(RECONNECT);
  });

  it('aborts what it reads from this device without an error when the browser keeps the page for the way back', {
    tags: ['screens.browsers.2'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await here.openAs(ada);
    await page.addInitScript(() => {
      const { transaction } = IDBDatabase.prototype;
      Object.assign(globalThis, { aborted: 0 });
      IDBDatabase.prototype.transaction = function (...args) {
        const begun = transaction.apply(this, args);
        begun.addEventListener('abort', () => {
          (globalThis as unknown as { aborted: number }).aborted += 1;
        });
        // Its requests have been made by then.
        queueMicrotask(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
        return begun;
      };
    });
    await page.goto('/dashboard');
    // An unhandled rejection fails the test: all errors of a page do.
    await expect
      .poll(() => page.evaluate(() => (globalThis as unknown as { aborted: number }).aborted))
      .toBeGreaterThan(2);
    await letReactRender(page);
  });

  it('refreshes the open screen when the connection returns', { tags: ['screens.offline.5'] }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await installed(ada);
    await page.goto('/date-ideas');
    await page.getByText('No date ideas yet!').waitFor();
    await page.context().setOffline(true);
    await page.reload();
    await status(page, 'We are offline.').waitFor();
    await addIdea(ada, { title: 'A walk by the river' });
    await page.context().setOffline(false);
    await page.getByText('A walk by the river').waitFor(RECONNECT);
    await expect.poll(() => status(page, 'We are offline.').count()).toBe(0);
    // Live updates work again.
    await addIdea(ada, { title: 'Another walk' });
    await page.getByText('Another walk').waitFor();
  });

  it('shows a change that was made before the page was connected to the live changes again', {
    tags: ['wire.live.3'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await installed(ada);
    await page.goto('/date-ideas');
    await page.getByText('No date ideas yet!').waitFor();
    await page.context().setOffline(true);
    await page.reload();
    await status(page, 'We are offline.').waitFor();
    let isHeld = true;
    const connect = await holdRequests(page, '**/api/events');
    // Whatever the page asks before it is connected, it does not learn of the change.
    await page.route('**/api/DateIdeas/active', (route) => (isHeld ? route.fulfill({ json: [] }) : route.continue()));
    const connecting = page.waitForRequest('**/api/events', RECONNECT);
    await page.context().setOffline(false);
    await connecting;
    await addIdea(ada, { title: 'A walk by the river' });
    isHeld = false;
    connect();
    await page.getByText('A walk by the river').waitFor();
  });

  it('never caches or answers a call of the API, and shows no photograph after signing out', async () => {
    const { ada } = await registerCouple(here.app);
    const date = await completeDate(ada, { at: Date.now() - 7_200_000, minutes: 90 });
    const { thumbnailUrl } = await addPhoto(ada, date.id);
    const page = await installed(ada);
    await page.goto('/memories');
    await expect.poll(() => keptThumbnails(page)).toBe(1);
    const kept = await page.evaluate(async () => {
      const caches = globalThis.caches;
      const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return all.flat().map(({ url }) => new URL(url).pathname + new URL(url).search);
    });
    expect(kept.filter((path) => path.startsWith('/api/'))).toEqual([thumbnailUrl]);
    // The worker doesn't handle calls of the API, so the test can intercept them.
    await page.route('**/api/Stats', (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.getByRole('link', { name: 'Our Story', exact: true }).click();
    await page.getByText('Failed to load our beautiful statistics. Please try again.').waitFor();
    await page.unrouteAll();

    // The session ends on another device: the 401 clears the cached thumbnail, and so does the next visit.
    await ada.call('POST /api/auth/logout');
    await page.goto('/dashboard');
    await page.waitForURL(/\/auth\/login/);
    await page.getByLabel('Email').waitFor();
    await page.context().setOffline(true);
    const seen = await page.evaluate(
      (src) =>
        new Promise((resolve) => {
          const image = new Image();
          image.addEventListener('load', () => resolve('shown'));
          image.addEventListener('error', () => resolve('not shown'));
          // Bypasses the HTTP cache, which is cleared only by signing out on the server.
          image.src = `${src}&fresh=1`;
        }),
      thumbnailUrl,
    );
    expect(seen).toBe('not shown');
    await expect.poll(() => page.evaluate(() => caches.has('thumbnails'))).toBe(false);
    await expect
      .poll(() => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)))
      .not.toContain('last-seen');
  });
});

/** Waits until both photographs are painted. */
async function thumbnails(page: Page): Promise<void> {
  const drawn = () =>
    page
      .locator('main img')
      .evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length);
  await expect.poll(drawn).toBe(2);
}

const keptThumbnails = (page: Page) =>
  page.evaluate(async () => (await (await caches.open('thumbnails')).keys()).length);
