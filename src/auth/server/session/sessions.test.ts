import type * as Argon2 from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerAda, registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import type { CallName } from '../../../base/call.ts';
import { DAY, MINUTE } from '../../../base/durations.ts';
import { parseInstant } from '../../../base/instants.ts';
import { hashOfSecret } from '../secrets.ts';

const argon2 = vi.hoisted(() => {
  // Files share their modules. One that was loaded before has the real function.
  vi.resetModules();
  return { verified: [] as string[], running: 0, most: 0 };
});
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof Argon2>();
  return {
    ...real,
    /** Calls the real function, and records the verified hashes and the number of concurrent calls. */
    verify: async (hash: string, password: string) => {
      argon2.verified.push(hash);
      argon2.running += 1;
      argon2.most = Math.max(argon2.most, argon2.running);
      try {
        return await real.verify(hash, password);
      } finally {
        argon2.running -= 1;
      }
    },
  };
});

// The files after this one get the real function again.
afterAll(() => vi.resetModules());

describeOnBoth('signing in', (engine) => {
  let clock = Date.now();
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    // Without the tests' cost, so that it is production's.
    app = await startTestApp(engine, { now: () => clock, passwordCost: undefined });
    ({ ada, ben } = await registerCouple(app));
  });
  afterAll(() => app.close());
  const nobody = () => new Caller(app.url);
  const login = (who: Partner, headers: Record<string, string> = {}) =>
    nobody().call('POST /api/auth/login', { body: { email: who.email, password: who.password } }, { headers });
  const asOurPage = (cookie: string) => ({ headers: { cookie, origin: app.url } });
  const renew = (cookie: string) => nobody().call('POST /api/auth/renew', {}, asOurPage(cookie));
  const isSignedIn = async (token: string) =>
    (await new Caller(app.url, token).call('GET /api/auth/session')).status === 200;

  describe('with e-mail and password', () => {
    it('replies with a token and the user with the partner', async () => {
      const { status, body } = await login(ada);
      expect(status).toBe(200);
      expect(body.token).toMatch(/^[\w-]{43}$/);
      expect(body.user).toMatchObject({ email: ada.email, partner: { id: ben.user.id, displayName: 'Ben' } });
      expect(parseInstant(body.expiresAt)).toBe(clock + 30 * DAY);
    });

    it('works at all of its addresses, and with the e-mail in any case', { tags: ['accounts.signin.1'] }, async () => {
      const body = { email: ` ${ada.email.toUpperCase()} `, password: ada.password };
      for (const name of ['POST /api/auth/login', 'POST /api/Auth/login', 'POST /auth/login'] satisfies CallName[]) {
        expect((await nobody().request(name, { body })).status).toBe(200);
      }
    });

    it('accepts the same letter in every normalization form', async () => {
      const body = { email: 'zoe@example.org', displayName: 'Zoë', password: 'ünder the stars' };
      await nobody().call('POST /api/auth/register', { body });
      const typed = { email: body.email, password: body.password.normalize('NFD') };
      expect((await nobody().call('POST /api/auth/login', { body: typed })).status).toBe(200);
    });

    it('does not trim a password', async () => {
      const body = { email: ada.email, password: `${ada.password} ` };
      expect((await nobody().call('POST /api/auth/login', { body })).status).toBe(401);
    });

    it('does not reveal by text or by work whether the e-mail or the password is wrong', {
      tags: ['accounts.signin.1'],
    }, async () => {
      argon2.verified.length = 0;
      const wrongPassword = await nobody().request('POST /api/auth/login', {
        body: { email: ada.email, password: 'not my password' },
      });
      const wrongEmail = await nobody().request('POST /api/auth/login', {
        body: { email: 'eve@example.org', password: ada.password },
      });
      const tooLong = await nobody().request('POST /api/auth/login', {
        body: { email: ada.email, password: 'a'.repeat(257) },
      });
      for (const { status, problem, headers } of [wrongPassword, wrongEmail, tooLong]) {
        expect(status).toBe(401);
        expect({ ...problem, requestId: '' }).toEqual({ ...wrongPassword.problem, requestId: '' });
        expect(headers.get('www-authenticate')).toBe('Bearer');
      }
      expect(wrongPassword.problem.message).toBe('Wrong email or password.');
      // Each attempt verifies one Argon2id hash of the same cost.
      const costs = argon2.verified.map((hash) => hash.startsWith('$argon2id$v=19$m=19456,t=2,p=1$'));
      expect(costs).toEqual([true, true, true]);
    });

    it('verifies at most two passwords at once', async () => {
      argon2.most = 0;
      const all = await Promise.all(Array.from({ length: 12 }, () => login(ada)));
      expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
      expect(argon2.most).toBe(2);
    });

    it('stores neither a password nor a token in plain text', async () => {
      const { ada } = await registerCouple(app);
      const users = await app.db.read.selectFrom('users').selectAll().execute();
      const rows = JSON.stringify([
        users,
        await app.db.read.selectFrom('sessions').selectAll().execute(),
        await app.db.read.selectFrom('sessionTokens').selectAll().execute(),
      ]);
      const secret = ada.cookie.split('=')[1] ?? '';
      expect(rows).not.toContain(ada.password);
      expect(rows).not.toContain(ada.token);
      expect(rows).not.toContain(secret);
      expect(rows).toContain(hashOfSecret(secret));
      expect(rows).toContain(hashOfSecret(ada.token ?? ''));
      expect(users.length).toBeGreaterThan(1);
      for (const { passwordHash } of users) expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    });
  });

  describe('the token', () => {
    it.each([
      ['none', undefined],
      ['an empty one', 'Bearer '],
      ['an unknown one', `Bearer ${'A'.repeat(43)}`],
      ['another scheme', 'Basic YWRhOmFkYQ=='],
    ])('is required: %s', async (_, authorization) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const { status, headers: answered } = await nobody().request('GET /api/auth/session', {}, { headers });
      expect(status).toBe(401);
      expect(answered.get('www-authenticate')).toBe('Bearer');
    });

    it('renews its session until 30 days from the last use', { tags: ['accounts.sessions.9'] }, async () => {
      const { cookie } = await freshAda();
      clock += 29 * DAY;
      expect((await renew(cookie)).status).toBe(200);
      clock += 29 * DAY;
      const { body } = await renew(cookie);
      expect(parseInstant(body.expiresAt)).toBe(clock + 30 * DAY);
      clock += 30 * DAY - 1;
      expect((await renew(cookie)).status).toBe(200);
      clock += 30 * DAY;
      expect((await renew(cookie)).status).toBe(401);
    });

    it('renews its session for 180 days at most, however often it is used', {
      tags: ['accounts.sessions.9'],
    }, async () => {
      const { cookie } = await freshAda();
      for (let day = 0; day < 160; day += 20) {
        clock += 20 * DAY;
        expect((await renew(cookie)).status).toBe(200);
      }
      const { body } = await renew(cookie);
      expect(parseInstant(body.expiresAt)).toBe(clock + 20 * DAY);
      clock += 20 * DAY - MINUTE;
      const { token } = (await renew(cookie)).body;
      expect(await isSignedIn(token)).toBe(true);
      clock += MINUTE;
      expect(await isSignedIn(token)).toBe(false);
      expect((await renew(cookie)).status).toBe(401);
    });
  });

  it('stays valid when nothing can be written, for example on a full disk', async () => {
    const { token } = (await login(ada)).body;
    clock += 10 * MINUTE;
    const write = vi
      .spyOn(app.db, 'write')
      .mockRejectedValue(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }));
    expect(await isSignedIn(token)).toBe(true);
    expect(write).toHaveBeenCalledOnce();
    write.mockRestore();
  });

  describe('the cookie', () => {
    it('is hidden from scripts and other sites, and has no Secure attribute over plain HTTP', {
      tags: ['accounts.sessions.1', 'accounts.sessions.2'],
    }, async () => {
      const [cookie] = (await login(ada)).headers.getSetCookie();
      expect(cookie).toMatch(
        /^our-love-story-[0-9a-f]{8}=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/,
      );
    });

    it('is ignored on any other call', { tags: ['accounts.sessions.1', 'accounts.sessions.2'] }, async () => {
      const { cookie } = await freshAda();
      for (const name of [
        'GET /api/auth/session',
        'GET /api/DateIdeas',
        'GET /api/events',
        'POST /api/auth/logout',
      ] satisfies CallName[]) {
        expect((await nobody().request(name, {}, asOurPage(cookie))).status).toBe(401);
      }
    });

    it('renews the session after a reload: the same session, and other tabs stay signed in', async () => {
      const self = await freshAda();
      const { status, body } = await nobody().call('POST /api/auth/renew', {}, asOurPage(self.cookie));
      expect(status).toBe(200);
      expect(body.user).toEqual(self.user);
      expect(await isSignedIn(body.token)).toBe(true);
      expect(await isSignedIn(self.token)).toBe(true);
      const devices = await new Caller(app.url, body.token).call('GET /api/auth/sessions');
      expect(devices.body.filter(({ current }) => current).map(({ id }) => id)).toEqual([await idOf(self.token)]);
    });

    it('of a session that has ended clears the photographs in the browser’s cache', {
      tags: ['accounts.signout.7'],
    }, async () => {
      const { token, cookie } = await freshAda();
      expect((await renew(cookie)).headers.get('clear-site-data')).toBeNull();
      await new Caller(app.url, token).call('POST /api/auth/logout');
      const refused = await nobody().request('POST /api/auth/renew', {}, asOurPage(cookie));
      expect([refused.status, refused.headers.get('clear-site-data')]).toEqual([401, '"cache"']);
      const visitor = await nobody().request('POST /api/auth/renew', {}, { headers: { origin: app.url } });
      expect([visitor.status, visitor.headers.get('clear-site-data')]).toEqual([401, null]);
    });

    it('renews nothing without a cookie, nor for a token', { tags: ['accounts.sessions.3'] }, async () => {
      const { token } = await freshAda();
      expect((await nobody().request('POST /api/auth/renew', {}, { headers: { origin: app.url } })).status).toBe(401);
      expect(
        (await nobody().request('POST /api/auth/renew', {}, { headers: { origin: 'https://evil.example' } })).status,
      ).toBe(401);
      const bearer = { authorization: `Bearer ${token}`, origin: app.url };
      expect((await nobody().request('POST /api/auth/renew', {}, { headers: bearer })).status).toBe(401);
    });

    it.each([
      undefined,
      'https://evil.example',
      'null',
      'http://127.0.0.1:1',
      'http://127.0.0.1.evil.example',
      'not an origin',
    ])('renews nothing for a page from %s', { tags: ['accounts.sessions.3'] }, async (origin) => {
      const { cookie } = await freshAda();
      const headers: Record<string, string> = origin === undefined ? { cookie } : { cookie, origin };
      expect((await nobody().request('POST /api/auth/renew', {}, { headers })).status).toBe(403);
    });
  });

  describe('a page from elsewhere', () => {
    const evil = { origin: 'https://evil.example' };

    it('may not change anything, even with a token', async () => {
      const { token } = await freshAda();
      const body = { title: 'A walk', category: 'Romantic' };
      const change = (headers: Record<string, string>) =>
        new Caller(app.url, token).request('POST /api/DateIdeas', { body }, { headers });
      expect((await change(evil)).status).toBe(403);
      expect((await change({ origin: app.url })).status).toBe(201);
      expect((await change({})).status).toBe(201);
    });

    it.each([
      'POST /api/auth/register',
      'POST /api/auth/login',
      'POST /api/auth/join',
      'POST /api/auth/recovery/x',
    ] satisfies CallName[])('may not make the call %s', async (name) => {
      expect((await nobody().request(name, { body: {} }, { headers: evil })).status).toBe(403);
    });

    it('gets 401 before 403', async () => {
      expect((await nobody().request('POST /api/DateIdeas', { body: {} }, { headers: evil })).status).toBe(401);
    });
  });

  describe('the devices', () => {
    it('are listed by readable names, with the current one marked', { tags: ['accounts.sessions.10'] }, async () => {
      const { ada: carla } = await registerCouple(app);
      const agent = {
        'user-agent': 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile Safari/537.36',
      };
      clock += MINUTE;
      const phone = (await login(carla, agent)).body.token;
      const { body } = await new Caller(app.url, phone).call('GET /api/auth/sessions');
      expect(body.map(({ device, current }) => [device, current])).toEqual([
        ['Chrome on Android', true],
        ['Unknown device', false],
      ]);
      expect(body[0]?.lastUsedAt).toBe(new Date(clock).toISOString());
    });

    it('save the time of their last use once for all calls of a page', { tags: ['accounts.sessions.14'] }, async () => {
      const { ada: carla } = await registerCouple(app);
      clock += 6 * MINUTE;
      const writes = vi.spyOn(app.db, 'write');
      await Promise.all(Array.from({ length: 30 }, () => carla.call('GET /api/DateIdeas')));
      expect(writes).toHaveBeenCalledTimes(1);
      writes.mockRestore();
      expect((await carla.call('GET /api/auth/sessions')).body[0]?.lastUsedAt).toBe(new Date(clock).toISOString());
    });

    it('can be signed out one by one', { tags: ['accounts.sessions.10'] }, async () => {
      const phone = await freshAda();
      const laptop = await freshAda();
      const id = await idOf(phone.token);
      const end = () => new Caller(app.url, laptop.token).call('DELETE /api/auth/sessions/{id}', { params: { id } });
      expect((await end()).status).toBe(204);
      expect(await isSignedIn(phone.token)).toBe(false);
      expect((await nobody().request('POST /api/auth/renew', {}, asOurPage(phone.cookie))).status).toBe(401);
      expect(await isSignedIn(laptop.token)).toBe(true);
      expect((await end()).status).toBe(404);
    });

    it("are only one's own: those of others, even the partner's, are not found and stay signed in", async () => {
      const mine = (await freshAda()).token;
      const partners = (await login(ben)).body.token;
      const strangers = (await registerAda(app, 'stranger@example.org')).token ?? '';
      for (const other of [partners, strangers]) {
        const id = await idOf(other);
        expect(
          (await new Caller(app.url, mine).call('DELETE /api/auth/sessions/{id}', { params: { id } })).status,
        ).toBe(404);
        expect(await isSignedIn(other)).toBe(true);
      }
      expect(
        (await new Caller(app.url, mine).call('DELETE /api/auth/sessions/{id}', { params: { id: 'x' } })).status,
      ).toBe(404);
    });

    it('disappear when their session expires', async () => {
      const { token } = await freshAda();
      clock += 31 * DAY;
      const later = await freshAda();
      const { body } = await new Caller(app.url, later.token).call('GET /api/auth/sessions');
      expect(body).toHaveLength(1);
      expect(await isSignedIn(token)).toBe(false);
    });
  });

  it('ends with signing out: token and cookie become invalid, and the cookie is cleared', {
    tags: ['accounts.sessions.10'],
  }, async () => {
    const self = await freshAda();
    const other = await freshAda();
    const { status, headers } = await new Caller(app.url, self.token).call('POST /api/auth/logout');
    expect(status).toBe(204);
    const name = ada.cookie.split('=')[0];
    expect(headers.getSetCookie()).toEqual([`${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict`]);
    expect(await isSignedIn(self.token)).toBe(false);
    expect((await nobody().request('POST /api/auth/renew', {}, asOurPage(self.cookie))).status).toBe(401);
    expect(await isSignedIn(other.token)).toBe(true);
  });

  /** Signs Ada in on another device. */
  async function freshAda() {
    const { body, headers } = await login(ada);
    return { ...body, cookie: (headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '' };
  }

  async function idOf(token: string): Promise<string> {
    const { body } = await new Caller(app.url, token).call('GET /api/auth/sessions');
    return body.find(({ current }) => current)?.id ?? '';
  }
});
