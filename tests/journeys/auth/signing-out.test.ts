import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/base/durations.ts';
import { addSessionCookie, FAKE_CAMERA } from '../../support/chromium.ts';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { delayRequests } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { registerAda, registerCouple } from '../../support/register-couple.ts';
import { useCouple } from '../../support/use-app.ts';
import { DESKTOP, PHONE } from '../../support/use-chromium.ts';
import { isKnownOffline } from '../stored-rows.ts';
import { countOf, keptPhotos, makePhotoFile, newDate } from '../upload-page.ts';

/** A name for this machine. Unlike its address, it needs HTTPS to be a secure context. */
const HOST = 'album.test';

describe('signing out', () => {
  const us = useCouple({ args: [...FAKE_CAMERA, `--host-resolver-rules=MAP ${HOST} 127.0.0.1`] });

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  async function openAt(path: string, who: Partner) {
    const page = await us.openAs(who);
    await page.goto(path);
    await page.getByRole('button', { name: `${who.user.displayName} menu` }).waitFor();
    return page;
  }
  async function signOut(page: Page, { user }: Partner) {
    await page.getByRole('button', { name: `${user.displayName} menu` }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
  }
  /** What a page has stored on the device: the names of its databases, and the keys that tell of a session. */
  const stored = (page: Page) =>
    page.evaluate(async () => ({
      databases: (await indexedDB.databases()).map(({ name = '' }) => name).toSorted(),
      keys: ['known', 'leaving'].filter((key) => localStorage.getItem(key) !== null),
    }));
  /** Lets the page try again what failed, as when the browser is online again, until something is so: not every 15 s. */
  const tryAgainUntil = async (page: Page, isSo: () => Promise<boolean>) => {
    await expect
      .poll(async () => {
        await page.evaluate(() => dispatchEvent(new Event('online')));
        return isSo();
      })
      .toBe(true);
  };

  it('deletes all data of the couple', { tags: ['accounts.signin.7'] }, async () => {
    const couple = await registerCouple(us.app);
    const page = await us.openAs(couple.ada, PHONE);
    await page.goto('/settings');
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.click();
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('link', { name: 'Date Ideas', exact: true }).click();
    await page.waitForURL('**/date-ideas');
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');
    await page.evaluate(async () => {
      sessionStorage.setItem('typed', 'a secret');
      localStorage.setItem('seen', 'a secret');
      await (await caches.open('pages')).put('/secret', new Response('a secret'));
    });

    await menu.click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/auth/login');
    await page.getByLabel('Email').waitFor();
    const stored = () =>
      page.evaluate(async () => [
        ...Object.keys(sessionStorage),
        ...Object.keys(localStorage),
        ...(await caches.keys()),
      ]);
    await expect.poll(stored).toEqual([]);
    const behind = await page.evaluate(() => navigation.entries().map(({ url }) => new URL(url ?? '').pathname));
    expect(behind).not.toContain('/date-ideas');
    expect((await couple.ada.call('GET /api/auth/session')).status).toBe(401);
  });

  it('works although the server is unreachable, and repeats the logout until it is confirmed', {
    tags: ['accounts.signout.1'],
  }, async () => {
    const ada = await registerAda(us.app, 'offline@example.org');
    const page = await openAt('/dashboard', ada);
    // The server is unreachable at first, then replies 503.
    let tries = 0;
    await page.route('**/api/auth/logout', async (route) => {
      tries += 1;
      if (tries === 1) await route.abort();
      else if (tries === 2) await route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' });
      else await route.continue();
    });
    await signOut(page, ada);
    await page.getByLabel('Email').waitFor();
    await expect.poll(() => tries).toBe(2);
    expect(await page.evaluate(() => localStorage.getItem('leaving'))).toBe('signed-out');
    // The sign-in page doesn't change while the logout is repeated.
    await page.getByLabel('Email').fill('somebody@example.org');
    await tryAgainUntil(page, () => page.evaluate(() => localStorage.getItem('leaving') === null));
    expect(tries).toBe(3);
    expect(await page.getByLabel('Email').inputValue()).toBe('somebody@example.org');
    expect((await ada.call('GET /api/auth/session')).status).toBe(401);
  });

  it('works for good at once after the server is back, on a page that opened while it was away', {
    tags: ['accounts.signout.9'],
  }, async () => {
    const ada = await registerAda(us.app, 'away@example.org');
    const page = await openAt('/dashboard', ada);
    await expect.poll(() => isKnownOffline(page)).toBe(true);
    await page.route('**/api/auth/renew', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' }),
    );
    await page.reload();
    await page.getByText('We cannot reach our album just now.').waitFor();
    await page.unroute('**/api/auth/renew');
    await signOut(page, ada);
    await page.getByLabel('Email').waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('leaving'))).toBe(null);
    expect((await ada.call('GET /api/auth/session')).status).toBe(401);
    await page.goto('/dashboard');
    await page.getByLabel('Email').waitFor();
  });

  it.each(['before', 'after'])(
    'clears the device at the next start if a sign-out was interrupted %s it reached the server',
    { tags: ['accounts.signout.2'] },
    async (when) => {
      const ada = await registerAda(us.app, `interrupted-${when}@example.org`);
      const page = await openAt('/dashboard', ada);
      await page.goto('/memories/upload');
      await page.getByLabel('Choose photos').setInputFiles([await makePhotoFile('kept.jpg', 12)]);
      await expect
        .poll(async () => Object.values(await stored(page)).flat())
        .toEqual(expect.arrayContaining(['last-seen', 'unsent-photographs', 'known']));
      // The connection stalls, and the tab is closed.
      const sent = Promise.withResolvers<void>();
      await page.route('**/api/auth/logout', async (route) => {
        if (when === 'after') await route.fetch();
        sent.resolve();
      });
      await signOut(page, ada);
      await sent.promise;
      const next = await page.context().newPage();
      await page.close();
      await next.goto('/dashboard');
      await next.getByLabel('Email').waitFor();
      await expect.poll(() => stored(next), { timeout: 40_000 }).toEqual({ databases: [], keys: [] });
      expect((await ada.call('GET /api/auth/session')).status).toBe(401);
    },
  );

  it('ends the former session if a user signs in before the logout was confirmed', async () => {
    const ada = await registerAda(us.app, 'left@example.org');
    const page = await openAt('/dashboard', ada);
    await page.route('**/api/auth/logout', (route) => route.abort());
    await signOut(page, ada);
    await page.getByLabel('Email').fill(us.ben.email);
    await page.getByLabel('Password', { exact: true }).fill(us.ben.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/dashboard');
    expect((await ada.call('GET /api/auth/session')).status).toBe(401);
    await page.reload();
    await page.getByText(us.ben.user.displayName).first().waitFor();
  });

  it.each(['renew', 'logout'])(
    'lets a user stay who signs in during a %s of the session before, which was left offline',
    { tags: ['accounts.signout.1'] },
    async (call) => {
      const ada = await registerAda(us.app, `during-${call}@example.org`);
      const page = await openAt('/dashboard', ada);
      const isIn = Promise.withResolvers<void>();
      let held = false;
      let logouts = 0;
      await page.route('**/api/auth/{renew,logout}', async (route) => {
        const isLogout = route.request().url().endsWith('logout');
        logouts += Number(isLogout);
        if (isLogout && logouts <= 2) return route.abort();
        if (logouts < 2 || isLogout !== (call === 'logout')) return route.continue();
        held = true;
        await isIn.promise;
        // The page may have given it up.
        await route.continue().catch(() => undefined);
      });
      await signOut(page, ada);
      await tryAgainUntil(page, async () => held);
      await page.getByLabel('Email').fill(us.ben.email);
      await page.getByLabel('Password', { exact: true }).fill(us.ben.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL('**/dashboard');
      await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
      isIn.resolve();
      await page.getByRole('link', { name: 'Our Story', exact: true }).first().click();
      await heading(page, 'Our Love Story');
      expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true);
      await page.reload();
      await page.getByRole('button', { name: `${us.ben.user.displayName} menu` }).waitFor();
      expect((await ada.call('GET /api/auth/session')).status).toBe(401);
    },
  );

  it('deletes all databases, even in a browser that cannot list them', { tags: ['accounts.signout.3'] }, async () => {
    const page = await us.open();
    await page.addInitScript(() => {
      Object.assign(globalThis, { listed: indexedDB.databases.bind(indexedDB) });
      Object.defineProperty(IDBFactory.prototype, 'databases', { value: undefined });
    });
    const databases = () =>
      page.evaluate(async () => {
        const { listed } = globalThis as unknown as { listed: () => Promise<IDBDatabaseInfo[]> };
        return (await listed()).map(({ name = '' }) => name).toSorted();
      });
    // Code that uses them arrives after they are deleted, while the next page is still loading.
    const signedOut = page.waitForResponse('**/api/auth/logout', { timeout: 60_000 });
    await delayRequests(page, '**/login', 1500);
    await page.goto('/memories/upload');
    await page.getByLabel('Choose photos').setInputFiles([await makePhotoFile('kept.jpg', 12)]);
    await expect.poll(databases).toEqual(expect.arrayContaining(['last-seen', 'unsent-photographs']));
    await page.route(/\/later-/, async (route) => {
      await signedOut;
      await setTimeout(300);
      await route.continue();
    });
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await signOut(page, us.ada);
    await page.getByLabel('Email').waitFor();
    await expect.poll(databases).toEqual([]);
  });

  it('shows nothing on a page that the browser kept as it was, if the session has ended meanwhile', {
    tags: ['screens.browsers.2'],
  }, async () => {
    const page = await us.openAs(await registerAda(us.app, 'kept@example.org'));
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Our names' }).waitFor();
    await page.context().clearCookies();
    // What WebKit does on the way back, as soon as the page listens.
    const showAgain = () =>
      page.evaluate(() => {
        localStorage.removeItem('known');
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
        return document.documentElement.hidden || location.pathname === '/auth/login';
      });
    await expect.poll(showAgain).toBe(true);
    await page.waitForURL('**/auth/login?returnUrl=%2Fsettings');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });

  it.each([
    ['on this machine', '127.0.0.1'],
    ['over plain HTTP', HOST],
  ])(
    'leaves no photograph in the browser’s cache, if the session has ended on another device (%s)',
    { tags: ['accounts.signout.7'] },
    async (_, host) => {
      const who = await registerAda(us.app, `elsewhere-${host}@example.org`);
      const { previewUrl, thumbnailUrl } = await addPhoto(who, await newDate(who), 77);
      const page = await us.openSignedOut();
      const url = us.app.url.replace('127.0.0.1', host);
      await addSessionCookie(page.context(), { url, cookie: who.cookie });
      await page.goto(`${url}/settings`);
      const load = (path: string) => page.evaluate(async (address) => (await fetch(address)).status, path);
      expect([await load(previewUrl), await load(thumbnailUrl)]).toEqual([200, 200]);
      await who.call('POST /api/auth/logout');
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
      expect([await load(previewUrl), await load(thumbnailUrl)]).toEqual([401, 401]);
    },
  );

  it('asks before a sign-out that would lose camera shots, says how many, and offers to send them', {
    tags: ['accounts.signout.5'],
  }, async () => {
    const ada = await registerAda(us.app, 'camera@example.org');
    const { id } = await completeDate(ada, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    const page = await us.openAs(ada);
    await page.goto('/memories/upload');
    await page.getByRole('button', { name: 'Take Photo' }).click();
    const camera = page.getByRole('dialog', { name: 'Take Photo' });
    await camera.getByText('Back Camera').waitFor();
    for (const taken of [1, 2]) {
      await camera.getByRole('button', { name: 'Capture photo' }).click();
      await camera.getByText(`${taken} captured`).waitFor();
    }
    await camera.getByRole('button', { name: 'Close camera' }).click();
    // A chosen photograph is still in the phone's gallery.
    await page.getByLabel('Choose photos').setInputFiles([await makePhotoFile('chosen.jpg', 13)]);
    await page.getByRole('heading', { name: '3 photos selected' }).waitFor();
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(3);
    await page.goto('/date-ideas');
    await heading(page, 'Date Ideas');

    const question = page.getByRole('alertdialog', {
      name: '2 photos taken here have not been sent yet. Are you sure you want to sign out?',
    });
    await signOut(page, ada);
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    await signOut(page, ada);
    await question.getByRole('link', { name: 'Send them first' }).click();
    await page.waitForURL('**/memories/upload');
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('heading', { name: '3 photos selected' }).waitFor();
    expect(await countOf(ada, id)).toBe(0);

    await signOut(page, ada);
    await question.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
  });

  it('lets no photograph open by its address on a server without HTTPS', {
    tags: ['accounts.signout.8'],
  }, async () => {
    const { ada } = await registerCouple(us.app);
    const date = await completeDate(ada, { at: Date.now() - 3 * HOUR, minutes: 60 });
    const { imageUrl } = await addPhoto(ada, date.id);
    const url = new URL(us.app.url);
    url.hostname = HOST;
    const page = await us.openAs(ada.at({ url: url.origin }), DESKTOP);
    await page.goto('/settings');
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    expect(await page.evaluate(async (path) => (await fetch(path)).status, imageUrl)).toBe(200);
    const signedOut = page.waitForResponse('**/api/auth/logout');
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
    await signedOut;
    await page.getByLabel('Email').waitFor();
    const other = await page.context().newPage();
    expect((await other.goto(imageUrl))?.status()).toBe(401);
  });
});
