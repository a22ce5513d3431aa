import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { currentSessionId } from '../../../../tests/support/current-session-id.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import type { CallName } from '../../../base/call.ts';
import { DAY, MINUTE } from '../../../base/durations.ts';
import { parseInstant } from '../../../base/instants.ts';

describeOnBoth('a session', (engine) => {
  let clock = Date.now();
  let app: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => clock });
    ({ ada } = await registerCouple(app));
  });
  afterAll(() => app.close());
  const nobody = () => new Caller(app.url);
  const login = (who: Partner, headers: Record<string, string> = {}) =>
    nobody().call('POST /api/auth/login', { body: { email: who.email, password: who.password } }, { headers });
  const asOurPage = (cookie: string) => ({ headers: { cookie, origin: app.url } });
  const renew = (cookie: string) => nobody().call('POST /api/auth/renew', {}, asOurPage(cookie));
  const isSignedIn = async (token: string) =>
    (await new Caller(app.url, token).call('GET /api/auth/session')).status === 200;

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
      expect(devices.body.filter(({ current }) => current).map(({ id }) => id)).toEqual([
        await currentSessionId(app.url, self.token),
      ]);
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
});
