import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/base/durations.ts';
import { memoryLimits } from '../../../src/memories/rules.ts';
import { addIdea, completeDate } from '../../support/factories.ts';
import { makeJpegOfSize } from '../../support/images.ts';
import type { Partner } from '../../support/partner.ts';
import { registerAda, registerCouple } from '../../support/register-couple.ts';
import { useCouple } from '../../support/use-app.ts';
import { isKnownOffline } from '../stored-rows.ts';
import { chooseFor, countOf, makePhotoFile, saveButton, succeeded } from '../upload-page.ts';

/** How the page renews its token. */
describe('the session of a page', () => {
  /** The server's clock. */
  let clock = Date.now();
  /** Called with each step of an upload on the server. */
  let onStep: (name: string) => void = () => undefined;
  const us = useCouple({ now: () => clock, crashPoint: (name) => onStep(name) });

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

  it('saves the first press after the server is back, on a page that opened while it was away', {
    tags: ['accounts.sessions.8'],
  }, async () => {
    const ada = await registerAda(us.app, `back-${clock}@example.org`);
    const { id } = await addIdea(ada, { title: 'Once it is back' });
    const page = await us.openAs(ada);
    await page.goto('/date-ideas');
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
});
