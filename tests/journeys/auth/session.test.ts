import { setTimeout } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/base/time.ts';
import { memoryLimits } from '../../../src/memories/rules.ts';
import { addSessionCookie, FAKE_CAMERA } from '../../support/chromium.ts';
import type { Partner } from '../../support/client.ts';
import { addIdea, addPhoto, completeDate } from '../../support/factories.ts';
import { makeJpegOfSize } from '../../support/images.ts';
import { delayRequests } from '../../support/page-steps.ts';
import { registerAda, registerCouple } from '../../support/register-couple.ts';
import { useCouple } from '../../support/use-app.ts';
import { isKnownOffline } from '../stored-rows.ts';
import { chooseFor, countOf, keptPhotos, makePhotoFile, newDate, saveButton, succeeded } from '../upload-page.ts';

/** How the page renews its token and signs out. */
describe('the session of a page', () => {
  /** The server's clock. */
  let clock = Date.now();
  /** Called with each step of an upload on the server. */
  let onStep: (name: string) => void = () => undefined;
  const us = useCouple({
    // A name that is not this machine's: over plain HTTP, browsers trust only the machine's own.
    args: [...FAKE_CAMERA, '--host-resolver-rules=MAP album.test 127.0.0.1'],
    now: () => clock,
    crashPoint: (name) => onStep(name),
  });

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  /** Records the calls that a page makes from now on, with the status of their replies. */
  function record(page: Page) {
    const calls: { path: string; status: number }[] = [];
    const waiting = new Set<Request>();
    page.on('request', (request) => {
      const { pathname: path } = new URL(request.url());
      if (path.startsWith('/api/') && path !== '/api/events') waiting.add(request);
    });
    const forget = (request: Request) => void waiting.delete(request);
    page.on('requestfinished', forget).on('requestfailed', forget);
    page.on('response', (response) => {
      const { pathname: path } = new URL(response.url());
      if (path.startsWith('/api/')) calls.push({ path, status: response.status() });
    });
    return {
      calls,
      renewals: () => calls.filter(({ path }) => path === '/api/auth/renew').length,
      waiting: () => waiting.size,
      refused: () => calls.filter(({ status }) => status === 401).length,
    };
  }
  async function openAt(path: string, who: Partner) {
    const page = await us.openAs(who);
    await page.goto(path);
    await page.getByRole('button', { name: `${who.user.displayName} menu` }).waitFor();
    return page;
  }
  /** Waits for the last calls of a page that is about to open, so that none of them meets a clock that was moved. */
  const lastCalls = (page: Page) =>
    Promise.all(
      ['/api/events', '/api/Stats/celebrations', '/api/couple/deletion'].map((call) =>
        page.waitForResponse((response) => new URL(response.url()).pathname === call),
      ),
    );
  /** Opens a screen and waits for the last calls that it makes. From then on it also learns of a partner's changes. */
  async function openAndFinishCalls(path: string, who: Partner = us.ada) {
    const page = await us.openAs(who);
    const called = lastCalls(page);
    await page.goto(path);
    await called;
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
  const isIn = (page: Page) => expect(new URL(page.url()).pathname).not.toMatch(/login/);

  it('renews an expired token once for a burst of calls, and retries them', {
    tags: ['accounts.sessions.8'],
  }, async () => {
    const page = await openAndFinishCalls('/date-ideas');
    await heading(page, 'Date Ideas');
    const { calls, renewals, refused } = record(page);
    clock += 2 * HOUR;
    // Holds the first call until the second one is sent. Otherwise the second may already wait for the renewal.
    const burst = Promise.withResolvers<void>();
    let sent = 0;
    await page.route(
      ({ pathname }) => pathname.startsWith('/api/') && !/^\/api\/(auth\/|events$)/.test(pathname),
      async (route) => {
        sent += 1;
        if (sent === 2) burst.resolve();
        await burst.promise;
        await route.continue();
      },
    );
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await page.getByText('No memories yet!').waitFor();
    // Chromium may report a response after the page has shown it.
    await expect.poll(refused).toBeGreaterThan(1);
    const repeated = () => {
      const [, ...after] = calls.slice(calls.findIndex(({ path }) => path === '/api/auth/renew'));
      return after.filter(({ status }) => status === 200).length;
    };
    await expect.poll(repeated).toBeGreaterThan(1);
    expect(renewals()).toBe(1);
    isIn(page);
  });

  it('renews the token before its hour is over, also after the device slept', {
    tags: ['accounts.sessions.8'],
  }, async () => {
    const page = await us.open();
    await page.clock.install();
    const called = lastCalls(page);
    await page.goto('/date-ideas');
    await called;
    await heading(page, 'Date Ideas');
    const { calls, renewals, refused, waiting } = record(page);
    /** Whether the page has called with the last token: it asks for its ideas once it has it. */
    const usesToken = () => {
      const since = calls.findLastIndex(({ path }) => path === '/api/auth/renew');
      return calls.slice(since).some(({ path }) => path === '/api/DateIdeas/active');
    };
    for (const hours of [0.9, 8]) {
      const before = renewals();
      // The server's clock moves once the renewal alone is under way: an earlier call that met it would be refused.
      await page.route(
        '**/api/auth/renew',
        async (route) => {
          await expect.poll(waiting).toBe(1);
          clock += hours * HOUR;
          await route.continue();
        },
        { times: 1 },
      );
      await page.clock.fastForward(hours * HOUR);
      await page.getByRole('link', { name: 'Our Dates', exact: true }).click();
      await heading(page, 'Our Dates');
      await page.getByRole('link', { name: 'Date Ideas', exact: true }).click();
      await heading(page, 'Date Ideas');
      await expect.poll(renewals).toBe(before + 1);
      // A token that the page gets after its clock has moved on counts as new there.
      await expect.poll(usesToken).toBe(true);
    }
    expect(refused()).toBe(0);
  });

  it('keeps several tabs signed in, each with a token of its own', { tags: ['accounts.sessions.8'] }, async () => {
    const first = await us.open();
    const second = await first.context().newPage();
    for (const page of [first, second]) {
      await page.goto('/date-ideas');
      await heading(page, 'Date Ideas');
    }
    const devices = async () => (await us.ada.call('GET /api/auth/sessions')).body.length;
    const before = await devices();
    clock += 2 * HOUR;
    await Promise.all(
      [first, second].map(async (page) => {
        await page.getByRole('link', { name: 'Our Story', exact: true }).click();
        await heading(page, 'Our Love Story');
      }),
    );
    for (const page of [first, second]) isIn(page);
    expect(await devices()).toBe(before);
  });

  it('sends photographs with an expired token, in one request and in parts', {
    tags: ['accounts.sessions.8'],
  }, async () => {
    const { id } = await completeDate(us.ada, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    const page = await us.open();
    const large = await makeJpegOfSize(memoryLimits.partBytes + 1_000_000);
    // A call of the page that is repeated while the token expires again would be refused twice, and end the session.
    const called = lastCalls(page);
    await chooseFor(page, id, [
      await makePhotoFile('small.jpg', 11),
      { name: 'large.jpg', mimeType: 'image/jpeg', buffer: large },
    ]);
    await page.getByRole('heading', { name: '2 photos selected' }).waitFor();
    await called;
    clock += 2 * HOUR;
    // The token expires again while the first photograph is being received.
    let expirations = 0;
    onStep = (name) => {
      if (name !== 'receiving' || expirations > 0) return;
      expirations += 1;
      clock += 2 * HOUR;
    };
    await saveButton(page).click();
    await succeeded(page);
    expect(expirations).toBe(1);
    expect(await countOf(us.ada, id)).toBe(2);
  });

  it('receives changes again after its stream broke and its token expired', {
    tags: ['accounts.sessions.8'],
  }, async () => {
    const { ada, ben } = await registerCouple(us.app);
    const page = await openAndFinishCalls('/date-ideas', ada);
    await addIdea(ben, { title: 'Before the break' });
    await page.getByText('Before the break').waitFor();
    const stream = page.waitForResponse((response) => response.url().endsWith('/api/events') && response.ok());
    clock += 2 * HOUR;
    us.app.fastify.server.closeAllConnections();
    await stream;
    await addIdea(ben, { title: 'After the break' });
    await page.getByText('After the break').waitFor();
    isIn(page);
  });

  it('waits while no new token is available, and signs nobody out', async () => {
    const page = await openAndFinishCalls('/date-ideas');
    await heading(page, 'Date Ideas');
    clock += 2 * HOUR;
    await page.route('**/api/auth/renew', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' }),
    );
    await page.getByRole('link', { name: 'Our Story', exact: true }).click();
    const again = page.getByRole('button', { name: 'Try Again' });
    await again.waitFor();
    isIn(page);
    await page.unroute('**/api/auth/renew');
    await again.click();
    await heading(page, 'Our Love Story');
  });

  it('is replaced if the cookie now belongs to another user', async () => {
    const page = await us.open();
    await page.goto('/settings');
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(us.ada.email);
    const [name = '', value = ''] = us.ben.cookie.split('=');
    await page.context().addCookies([{ name, value, url: us.app.url }]);
    clock += 2 * HOUR;
    await page.getByRole('link', { name: 'Our Story', exact: true }).first().click();
    // The page with Ada's data is replaced by one of Ben's: this screen's, if one of its calls was still on its way.
    await page.getByRole('button', { name: `${us.ben.user.displayName} menu` }).waitFor();
    await page.goto('/settings');
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(us.ben.email);
  });

  it('signs out although the server is unreachable, and repeats the logout until it is confirmed', {
    tags: ['accounts.signout.1'],
  }, async () => {
    const ada = await registerAda(us.app, `offline-${clock}@example.org`);
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

  it('signs out for good at once after the server is back, on a page that opened while it was away', {
    tags: ['accounts.signout.9'],
  }, async () => {
    const ada = await registerAda(us.app, `away-${clock}@example.org`);
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

  it('saves the first press after the server is back, on a page that opened while it was away', {
    tags: ['accounts.sessions.8'],
  }, async () => {
    const ada = await registerAda(us.app, `back-${clock}@example.org`);
    const { id } = await addIdea(ada, { title: 'Once it is back' });
    const page = await openAt('/date-ideas', ada);
    await page.getByText('Once it is back').waitFor();
    await expect.poll(() => isKnownOffline(page)).toBe(true);
    await page.route('**/api/auth/renew', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' }),
    );
    await page.reload();
    await page.getByText('We cannot reach our album just now.').waitFor();
    await page.unroute('**/api/auth/renew');
    // The press itself gets the token that the page lacks.
    await page.getByRole('button', { name: 'Heart', exact: true }).click();
    await expect
      .poll(async () => (await ada.call('GET /api/DateIdeas/{id}', { params: { id } })).body.hearts.mine)
      .toBe(true);
    await page.getByText('We cannot reach our album just now.').waitFor({ state: 'detached' });
    isIn(page);
  });

  it.each(['before', 'after'])(
    'clears the device at the next start if a sign-out was interrupted %s it reached the server',
    { tags: ['accounts.signout.2'] },
    async (when) => {
      const ada = await registerAda(us.app, `interrupted-${when}-${clock}@example.org`);
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
    const ada = await registerAda(us.app, `left-${clock}@example.org`);
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
    'keeps a user who signs in during a %s of the session before, which signed out offline',
    { tags: ['accounts.signout.1'] },
    async (call) => {
      const ada = await registerAda(us.app, `during-${call}-${clock}@example.org`);
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
    const page = await us.openAs(await registerAda(us.app, `kept-${clock}@example.org`));
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
    ['over plain HTTP', 'album.test'],
  ])(
    'leaves no photograph in the browser’s cache, if the session has ended on another device (%s)',
    { tags: ['accounts.signout.7'] },
    async (_, host) => {
      const who = await registerAda(us.app, `elsewhere-${host}-${clock}@example.org`);
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
    const ada = await registerAda(us.app, `camera-${clock}@example.org`);
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
});
