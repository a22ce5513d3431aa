import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makePasskey } from '../../../../tests/support/authenticator.ts';
import {
  Caller,
  makeAgreedRecovery,
  PASSWORD,
  type Partner,
  registerCouple,
} from '../../../../tests/support/client.ts';
import { depsOf } from '../../../../tests/support/deps.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { type OpenIdApp, startOpenIdApp } from '../../../../tests/support/openid-app.ts';
import type { OpenIdBrowser } from '../../../../tests/support/openid-browser.ts';
import type { CoupleId } from '../../../base/ids.ts';
import { suspendCouple } from '../operator/suspension-store.ts';
import { sweepOidcVisits } from './visit-store.ts';

const MINUTE = 60_000;

describeOnBoth('an OpenID provider', (engine) => {
  let here: OpenIdApp;
  let ahead = 0;
  let ada: Partner;
  let ben: Partner;
  let people = 0;
  const now = () => Date.now() + ahead;
  beforeAll(async () => {
    here = await startOpenIdApp(engine, { now });
  });
  beforeEach(async () => {
    ahead += 20 * MINUTE;
    ({ ada, ben } = await registerCouple(here.app));
  });
  afterAll(() => here.close());

  const newLogin = () => {
    people += 1;
    return `person${people}`;
  };
  const start = async (browser: OpenIdBrowser, body: object, who: Partner | null = null) =>
    browser.call('POST /api/auth/oidc/start', { body } as never, who?.token ?? null);
  /** Starts, signs in at the provider, and comes back. */
  const go = async (browser: OpenIdBrowser, body: object, login: string | null, who: Partner | null = null) => {
    const { status, body: begun, problem } = await start(browser, body, who);
    expect(status, problem?.detail).toBe(200);
    return browser.land(await browser.visit(begun.url, login));
  };
  const connect = async (who: Partner, login: string, browser = here.browser()) => {
    const landing = await go(browser, { intent: 'connect', currentPassword: PASSWORD }, login, who);
    expect(landing.location).toBe('/auth/oidc?connected=true&returnUrl=%2Fsettings');
    return browser;
  };
  const signIn = (browser: OpenIdBrowser, login: string, returnUrl?: string) =>
    go(browser, { intent: 'sign-in', returnUrl }, login);
  const renew = async (browser: OpenIdBrowser) => (await browser.call('POST /api/auth/renew', {})).body;
  const proofOf = async (who: Partner, login: string, browser = here.browser()) => {
    const { location } = await go(browser, { intent: 'confirm', returnUrl: '/settings?a=b#c' }, login, who);
    expect(location).toMatch(/^\/settings\?a=b#oidcProof=[\w-]{43}$/);
    return location.split('=').at(-1) ?? '';
  };
  const userOf = async (who: Caller) => (await who.call('GET /api/auth/session')).body.user;
  const register = async (login: string, more: object = {}) => {
    const browser = here.browser();
    const landing = await go(browser, { intent: 'register' }, login);
    expect(landing.location).toBe('/auth/oidc');
    const body = { displayName: 'Cleo', email: `${login}@example.org`, ...more };
    return { browser, finished: await browser.call('POST /api/auth/oidc/finish', { body }) };
  };

  it('is named by the status', { tags: ['openid.signin.1'] }, async () => {
    expect((await new Caller(here.app.url).call('GET /api/auth/status')).body.oidc).toEqual({ name: 'Our House' });
  });

  it('is connected in the settings after the password, and then signs in that account', {
    tags: ['openid.signin.2', 'openid.signin.3', 'openid.connecting.1'],
  }, async () => {
    const login = newLogin();
    expect((await userOf(ada)).signIn).toEqual({ password: true, passkeys: 0, oidc: false });
    await connect(ada, login);
    expect((await userOf(ada)).signIn).toEqual({ password: true, passkeys: 0, oidc: true });
    const browser = here.browser();
    const landing = await signIn(browser, login, '/stats?x=1');
    expect(landing.location).toBe('/auth/oidc?returnUrl=%2Fstats%3Fx%3D1');
    expect(landing.setCookies.join()).toContain('SameSite=Strict');
    const signedIn = await renew(browser);
    expect(signedIn.user).toMatchObject({ id: ada.user.id, email: ada.email, signIn: { oidc: true } });
    expect((await new Caller(here.app.url, signedIn.token).call('GET /api/auth/sessions')).status).toBe(200);
  });

  it('needs a confirmation to be connected: the password or a passkey', { tags: ['openid.connecting.1'] }, async () => {
    for (const [body, field] of [
      [{}, 'currentPassword'],
      [{ currentPassword: 'not at all the password' }, 'currentPassword'],
      [{ oidcProof: 'a'.repeat(43) }, 'oidcProof'],
    ] as const) {
      const { status, problem } = await start(here.browser(), { intent: 'connect', ...body }, ada);
      expect([status, problem.errors[0]?.field]).toEqual([400, field]);
    }
    const { device } = await makePasskey(ada);
    const { body: options } = await new Caller(here.app.url).call('POST /api/auth/passkeys/sign-in/options');
    const landing = await go(here.browser(), { intent: 'connect', passkey: device.get(options) }, newLogin(), ada);
    expect(landing.location).toContain('connected=true');
  });

  it('tells an unknown identity so, and creates nothing', { tags: ['openid.signin.2'] }, async () => {
    const browser = here.browser();
    const landing = await signIn(browser, newLogin());
    expect(landing).toEqual({ location: '/auth/oidc?problem=unknown', setCookies: [] });
    expect((await browser.call('POST /api/auth/renew', {})).status).toBe(401);
  });

  it('leaves an identity with the account to which it is connected', { tags: ['openid.connecting.1'] }, async () => {
    const login = newLogin();
    await connect(ada, login);
    const taken = await go(here.browser(), { intent: 'connect', currentPassword: PASSWORD }, login, ben);
    expect(taken.location).toBe('/auth/oidc?problem=elsewhere');
    expect((await userOf(ben)).signIn.oidc).toBe(false);
    const browser = here.browser();
    await signIn(browser, login);
    expect((await renew(browser)).user.id).toBe(ada.user.id);
    // Again, and another one: the account has one.
    await connect(ada, login);
    const second = newLogin();
    await connect(ada, second);
    expect((await signIn(here.browser(), login)).location).toBe('/auth/oidc?problem=unknown');
    expect((await signIn(here.browser(), second)).location).toContain('returnUrl');
  });

  it('connects nothing after the session has ended, or the space has been deleted', {
    tags: ['openid.connecting.2'],
  }, async () => {
    const browser = here.browser();
    const { body } = await start(browser, { intent: 'connect', currentPassword: PASSWORD }, ada);
    const back = await browser.visit(body.url, newLogin());
    await ada.call('POST /api/auth/logout');
    expect((await browser.land(back)).location).toBe('/auth/oidc?problem=ended');
    const other = here.browser();
    const begun = await start(other, { intent: 'connect', currentPassword: PASSWORD }, ben);
    const login = newLogin();
    const bens = await other.visit(begun.body.url, login);
    await here.app.db.write((tx) =>
      tx
        .deleteFrom('couples')
        .where('id', '=', ben.user.couple.id as CoupleId)
        .execute(),
    );
    expect((await other.land(bens)).location).toBe('/auth/oidc?problem=ended');
    expect((await signIn(here.browser(), login)).location).toBe('/auth/oidc?problem=unknown');
  });

  it('registers a couple with the name and e-mail of the form, without a password', {
    tags: ['openid.registering.1', 'openid.confirming.3'],
  }, async () => {
    const login = newLogin();
    here.provider.people.set(login, { name: 'Cleo from openid', email: 'cleo@openid.example' });
    const browser = here.browser();
    expect((await go(browser, { intent: 'register' }, login)).location).toBe('/auth/oidc');
    const shown = await browser.call('GET /api/auth/oidc/finish', {});
    expect(shown.body).toEqual({ intent: 'register', displayName: 'Cleo from openid', email: 'cleo@openid.example' });
    expect(
      await here.app.db.read.selectFrom('users').select('id').where('emailKey', '=', 'cleo@openid.example').execute(),
    ).toEqual([]);
    const person = { displayName: 'Cleo', email: `${login}@example.org`, timeZone: 'Europe/Rome' };
    const { status, body } = await browser.call('POST /api/auth/oidc/finish', { body: person });
    expect(status).toBe(201);
    expect(body.user).toMatchObject({
      displayName: 'Cleo',
      email: person.email,
      partner: null,
      couple: { timeZone: 'Europe/Rome' },
      signIn: { password: false, passkeys: 0, oidc: true },
    });
    expect((await browser.call('POST /api/auth/oidc/finish', { body: person })).status).toBe(404);
    const again = here.browser();
    await signIn(again, login);
    expect((await renew(again)).user.id).toBe(body.user.id);
    for (const password of ['', 'a quiet evening at home', 'no password set!']) {
      const { status: refused } = await new Caller(here.app.url).call('POST /api/auth/login', {
        body: { email: person.email, password },
      });
      expect([400, 401]).toContain(refused);
    }
  });

  it('joins by an invitation, once, and not after it was used', { tags: ['openid.registering.2'] }, async () => {
    const { finished, browser: cleo } = await register(newLogin());
    const token = finished.body.token;
    const { body: invitation } = await new Caller(here.app.url, token).call('POST /api/auth/invitations');
    const { code } = invitation;
    expect((await start(here.browser(), { intent: 'join', code: 'wrong' })).status).toBe(404);
    expect((await start(here.browser(), { intent: 'join' })).status).toBe(400);
    const [first, second] = [here.browser(), here.browser()];
    const login = newLogin();
    expect((await go(first, { intent: 'join', code }, login)).location).toBe('/auth/oidc');
    expect((await go(second, { intent: 'join', code }, newLogin())).location).toBe('/auth/oidc');
    expect((await first.call('GET /api/auth/oidc/finish', {})).body.intent).toBe('join');
    const person = { displayName: 'Dan', email: `${login}@example.org` };
    const joined = await first.call('POST /api/auth/oidc/finish', { body: person });
    expect(joined.body.user).toMatchObject({ displayName: 'Dan', partner: { displayName: 'Cleo' } });
    const late = { displayName: 'Eve', email: `eve-${login}@example.org` };
    expect((await second.call('POST /api/auth/oidc/finish', { body: late })).status).toBe(404);
    expect((await renew(cleo)).user.partner?.displayName).toBe('Dan');
  });

  it('tells a known identity that registers or joins that it has an account', {
    tags: ['openid.registering.3'],
  }, async () => {
    const login = newLogin();
    await connect(ada, login);
    expect((await go(here.browser(), { intent: 'register' }, login)).location).toBe('/auth/oidc?problem=elsewhere');
    const second = newLogin();
    const browser = here.browser();
    await go(browser, { intent: 'register' }, second);
    await connect(ben, second);
    const person = { displayName: 'Cleo', email: `${second}@example.org` };
    expect((await browser.call('POST /api/auth/oidc/finish', { body: person })).status).toBe(409);
    expect(
      await here.app.db.read.selectFrom('users').select('id').where('emailKey', '=', person.email).execute(),
    ).toEqual([]);
  });

  it('takes another e-mail after one that is in use', { tags: ['openid.registering.3'] }, async () => {
    const login = newLogin();
    const { browser, finished } = await register(login, { email: ada.email.toUpperCase() });
    expect([finished.status, finished.problem.errors[0]?.field]).toEqual([409, 'email']);
    const person = { displayName: 'Cleo', email: `${login}@example.org` };
    expect((await browser.call('POST /api/auth/oidc/finish', { body: person })).status).toBe(201);
  });

  it('keeps two tabs apart, and takes neither twice', { tags: ['openid.visits.1'] }, async () => {
    const login = newLogin();
    await connect(ada, login);
    const browser = here.browser();
    const tabs = [await start(browser, { intent: 'sign-in' }), await start(browser, { intent: 'sign-in' })];
    const back = [];
    for (const { body } of tabs) back.push(await browser.visit(body.url, login));
    for (const url of back) expect((await browser.land(url)).location).toContain('returnUrl');
    for (const url of back) expect((await browser.land(url)).location).toBe('/auth/oidc?problem=expired');
  });

  it('forgets a visit after ten minutes, and the sweep deletes it', {
    tags: ['openid.visits.1', 'openid.visits.6'],
  }, async () => {
    const browser = here.browser();
    const { body } = await start(browser, { intent: 'register' });
    const back = await browser.visit(body.url, newLogin());
    ahead += 10 * MINUTE;
    expect((await browser.land(back)).location).toBe('/auth/oidc?problem=expired');
    const arrived = here.browser();
    await go(arrived, { intent: 'register' }, newLogin());
    ahead += 10 * MINUTE;
    expect((await arrived.call('GET /api/auth/oidc/finish', {})).status).toBe(404);
    await sweepOidcVisits(await depsOf(here.app, now));
    for (const table of ['oidcStarts', 'oidcArrivals'] as const) {
      expect(await here.app.db.read.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  it('confirms what the user does, once, within five minutes, in the same session', {
    tags: ['openid.confirming.1', 'openid.confirming.2'],
  }, async () => {
    const login = newLogin();
    expect((await start(here.browser(), { intent: 'confirm' }, ada)).status).toBe(409);
    await connect(ada, login);
    const options = (who: Partner, oidcProof: string) =>
      who.call('POST /api/auth/passkeys/options', { body: { oidcProof } });
    const proof = await proofOf(ada, login);
    expect((await options(ben, proof)).problem.errors[0]?.field).toBe('oidcProof');
    expect((await options(ada, proof)).status).toBe(200);
    expect((await options(ada, proof)).status).toBe(400);
    const old = await proofOf(ada, login);
    ahead += 5 * MINUTE;
    expect((await options(ada, old)).status).toBe(400);
    const otherSession = new Caller(here.app.url, (await renew(await withSession(login))).token);
    const own = await proofOf(ada, login);
    expect((await otherSession.call('POST /api/auth/passkeys/options', { body: { oidcProof: own } })).status).toBe(400);
    const stranger = await go(here.browser(), { intent: 'confirm' }, newLogin(), ada);
    expect(stranger.location).toBe('/auth/oidc?problem=other');
  });
  const withSession = async (login: string) => {
    const browser = here.browser();
    await signIn(browser, login);
    return browser;
  };

  it('lets an account without a password set one, and only then disconnect', {
    tags: ['openid.confirming.1', 'openid.confirming.3', 'openid.connecting.3'],
  }, async () => {
    const login = newLogin();
    const { finished } = await register(login);
    const { token, user } = finished.body;
    const cleo = Object.assign(new Caller(here.app.url, token), { user }) as unknown as Partner;
    const newPassword = 'a first quiet evening';
    expect((await cleo.call('PUT /api/auth/password', { body: { newPassword } })).status).toBe(400);
    expect((await cleo.call('PUT /api/auth/password', { body: { newPassword, currentPassword: '' } })).status).toBe(
      400,
    );
    const removal = { body: { oidcProof: await proofOf(cleo, login) } };
    expect((await cleo.call('DELETE /api/auth/oidc', removal)).status).toBe(409);
    const set = { body: { newPassword, oidcProof: await proofOf(cleo, login) } };
    expect((await cleo.call('PUT /api/auth/password', set)).status).toBe(204);
    expect((await userOf(cleo)).signIn).toEqual({ password: true, passkeys: 0, oidc: true });
    expect((await cleo.call('DELETE /api/auth/oidc', { body: { currentPassword: 'wrong' } })).status).toBe(400);
    expect((await cleo.call('DELETE /api/auth/oidc', { body: { currentPassword: newPassword } })).status).toBe(204);
    expect((await cleo.call('DELETE /api/auth/oidc', { body: { currentPassword: newPassword } })).status).toBe(404);
    expect((await signIn(here.browser(), login)).location).toBe('/auth/oidc?problem=unknown');
    const byPassword = await new Caller(here.app.url).call('POST /api/auth/login', {
      body: { email: user.email, password: newPassword },
    });
    expect(byPassword.status).toBe(200);
  });

  it('is disconnected by a recovery, also one that keeps the passkeys', { tags: ['openid.connecting.4'] }, async () => {
    const login = newLogin();
    await connect(ada, login);
    const code = await makeAgreedRecovery(ben, ada);
    const body = { newPassword: 'another quiet evening', keepPasskeys: true };
    await new Caller(here.app.url).call('POST /api/auth/recovery/{code}', { params: { code }, body });
    expect((await signIn(here.browser(), login)).location).toBe('/auth/oidc?problem=unknown');
  });

  it('is disconnected when the account is deleted', { tags: ['openid.connecting.4'] }, async () => {
    await connect(ben, newLogin());
    expect((await ben.call('POST /api/auth/leave', { body: { currentPassword: PASSWORD } })).status).toBe(204);
    expect(
      await here.app.db.read
        .selectFrom('oidcConnections')
        .selectAll()
        .where('userId', '=', ben.user.id as never)
        .execute(),
    ).toEqual([]);
  });

  it('says that a space is suspended to its member alone', { tags: ['openid.visits.5'] }, async () => {
    const login = newLogin();
    await connect(ada, login);
    await here.app.db.write((tx) => suspendCouple(tx, ada.user.couple.id as CoupleId, now()));
    expect(await signIn(here.browser(), login)).toEqual({ location: '/auth/oidc?problem=suspended', setCookies: [] });
    expect((await signIn(here.browser(), newLogin())).location).toBe('/auth/oidc?problem=unknown');
  });

  it('may be out of reach, or refuse', { tags: ['openid.visits.4'] }, async () => {
    const login = newLogin();
    await connect(ada, login);
    const browser = here.browser();
    expect((await go(browser, { intent: 'sign-in' }, null)).location).toBe('/auth/oidc?problem=refused');
    const { body } = await start(browser, { intent: 'sign-in' });
    const back = await browser.visit(body.url, login);
    here.provider.isDown = true;
    const landing = await browser.land(back);
    // What it said of itself is known for an hour.
    ahead += 61 * MINUTE;
    const { status, problem, headers } = await start(browser, { intent: 'sign-in' });
    here.provider.isDown = false;
    expect(landing.location).toBe('/auth/oidc?problem=unreachable');
    expect([status, problem.detail, headers.get('retry-after')]).toEqual([
      503,
      'Our House cannot be reached right now. Please try again.',
      '30',
    ]);
    expect((await signIn(browser, login)).location).toContain('returnUrl');
  });

  it('is not asked again for its own description within the hour', { tags: ['openid.visits.4'] }, async () => {
    await start(here.browser(), { intent: 'sign-in' });
    const before = here.provider.asked.length;
    for (let n = 0; n < 3; n += 1) expect((await start(here.browser(), { intent: 'sign-in' })).status).toBe(200);
    expect(here.provider.asked.slice(before)).toEqual([]);
  });

  it('starts only from our own pages, and connects and confirms only with a token', {
    tags: ['openid.visits.2'],
  }, async () => {
    const body = { intent: 'sign-in' } as const;
    const nobody = new Caller(here.app.url);
    expect((await nobody.call('POST /api/auth/oidc/start', { body })).status).toBe(403);
    const foreign = { headers: { origin: 'https://evil.example' } };
    expect((await nobody.call('POST /api/auth/oidc/start', { body }, foreign)).status).toBe(403);
    const person = { displayName: 'Eve', email: 'eve@example.org' };
    expect((await nobody.call('POST /api/auth/oidc/finish', { body: person }, foreign)).status).toBe(403);
    for (const intent of ['connect', 'confirm']) {
      expect((await start(here.browser(), { intent, currentPassword: PASSWORD })).status).toBe(401);
    }
    expect((await start(here.browser(), { intent: 'leave' })).status).toBe(400);
  });

  it('has a cookie for its visit alone, of ten minutes', { tags: ['openid.visits.2'] }, async () => {
    const { headers } = await start(here.browser(), { intent: 'sign-in' });
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).toMatch(
      /^our-love-story-openid-[0-9a-f]{8}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });
});
