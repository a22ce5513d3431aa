import { expect, it } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { PASSWORD } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { useOpenIdApp } from '../../../../tests/support/use-openid-app.ts';
import { sweepExpired } from '../sweep-expired.ts';

const MINUTE = 60_000;

describeOnBoth('visits to an OpenID provider', (engine) => {
  const openId = useOpenIdApp(engine);

  it('of two tabs do not disturb each other, and count once', { tags: ['openid.visits.1'] }, async () => {
    const login = openId.newLogin();
    await openId.connect(openId.ada, login);
    const browser = openId.browser();
    const tabs = [await browser.start({ intent: 'sign-in' }), await browser.start({ intent: 'sign-in' })];
    const back = [];
    for (const { body } of tabs) back.push(await browser.visit(body.url, login));
    for (const url of back) expect((await browser.land(url)).location).toContain('returnUrl');
    for (const url of back) expect((await browser.land(url)).location).toBe('/auth/oidc?problem=expired');
  });

  it('count for ten minutes, and the next sweep deletes them and the challenges', {
    tags: ['openid.visits.1', 'openid.visits.6'],
  }, async () => {
    const browser = openId.browser();
    const { body } = await browser.start({ intent: 'register' });
    const back = await browser.visit(body.url, openId.newLogin());
    expect((await browser.call('POST /api/auth/passkeys/sign-in/options', {})).status).toBe(200);
    openId.advance(10 * MINUTE);
    expect((await browser.land(back)).location).toBe('/auth/oidc?problem=expired');
    const arrived = openId.browser();
    await arrived.roundTrip({ intent: 'register' }, openId.newLogin());
    openId.advance(10 * MINUTE);
    expect((await arrived.call('GET /api/auth/oidc/finish', {})).status).toBe(404);
    await sweepExpired(await depsOf(openId.app, openId.now));
    for (const table of ['oidcStarts', 'oidcArrivals', 'challenges'] as const) {
      expect(await openId.app.db.read.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  it('end with a message if the provider refuses, or is out of reach', { tags: ['openid.visits.4'] }, async () => {
    const login = openId.newLogin();
    await openId.connect(openId.ada, login);
    const browser = openId.browser();
    expect((await browser.roundTrip({ intent: 'sign-in' }, null)).location).toBe('/auth/oidc?problem=refused');
    const { body } = await browser.start({ intent: 'sign-in' });
    const back = await browser.visit(body.url, login);
    openId.provider.isDown = true;
    const landing = await browser.land(back);
    // What it said of itself is known for an hour.
    openId.advance(61 * MINUTE);
    const { status, problem, headers } = await browser.start({ intent: 'sign-in' });
    openId.provider.isDown = false;
    expect(landing.location).toBe('/auth/oidc?problem=unreachable');
    expect([status, problem.detail, headers.get('retry-after')]).toEqual([
      503,
      'Our House cannot be reached right now. Please try again.',
      '30',
    ]);
    expect((await openId.signIn(browser, login)).location).toContain('returnUrl');
  });

  it('ask the provider for its description once an hour', { tags: ['openid.visits.4'] }, async () => {
    await openId.browser().start({ intent: 'sign-in' });
    const before = openId.provider.asked.length;
    for (let n = 0; n < 3; n += 1) expect((await openId.browser().start({ intent: 'sign-in' })).status).toBe(200);
    expect(openId.provider.asked.slice(before)).toEqual([]);
  });

  it('begin only on our own pages, and need a token to connect and to confirm', {
    tags: ['openid.visits.2'],
  }, async () => {
    const body = { intent: 'sign-in' } as const;
    const nobody = new Caller(openId.app.url);
    expect((await nobody.call('POST /api/auth/oidc/start', { body })).status).toBe(403);
    const foreign = { headers: { origin: 'https://evil.example' } };
    expect((await nobody.call('POST /api/auth/oidc/start', { body }, foreign)).status).toBe(403);
    const person = { displayName: 'Eve', email: 'eve@example.org' };
    expect((await nobody.call('POST /api/auth/oidc/finish', { body: person }, foreign)).status).toBe(403);
    for (const intent of ['connect', 'confirm']) {
      expect((await openId.browser().start({ intent, currentPassword: PASSWORD })).status).toBe(401);
    }
    expect((await openId.browser().start({ intent: 'leave' })).status).toBe(400);
  });

  it('have a cookie each, for ten minutes', { tags: ['openid.visits.2'] }, async () => {
    const { headers } = await openId.browser().start({ intent: 'sign-in' });
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).toMatch(
      /^our-love-story-openid-[0-9a-f]{8}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });
});
