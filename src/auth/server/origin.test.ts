import { afterAll, beforeAll, expect, it } from 'vitest';
import { Caller } from '../../../tests/support/caller.ts';
import { describeOnSqlite } from '../../../tests/support/engines.ts';
import { setupCodeOf } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';

describeOnSqlite('over HTTPS', (engine) => {
  const SECURE =
    /^__Host-our-love-story-[0-9a-f]{8}=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/;
  let behindProxy: TestApp;
  let named: TestApp;
  beforeAll(async () => {
    behindProxy = await startTestApp(engine, { env: { TRUST_PROXY: '1' } });
    named = await startTestApp(engine, { env: { PUBLIC_URL: 'https://love.example' } });
  });
  afterAll(async () => {
    await behindProxy.close();
    await named.close();
  });
  /** Registers through a proxy with these headers. Returns the cookie and the link of an invitation. */
  const registerThrough = async (app: TestApp, headers: Record<string, string>) => {
    const person = { email: `${Math.random()}@example.org`, displayName: 'Ada', password: 'a quiet evening at home' };
    const answer = await new Caller(app.url).call(
      'POST /api/auth/register',
      { body: { ...person, setupCode: setupCodeOf(app) } },
      { headers },
    );
    const invited = await new Caller(app.url, answer.body.token).call('POST /api/auth/invitations', {}, { headers });
    return { cookie: answer.headers.getSetCookie()[0] ?? '', url: invited.body.url };
  };
  const setBy = async (app: TestApp, headers: Record<string, string> = {}) => {
    const person = { email: `${Math.random()}@example.org`, displayName: 'Ada', password: 'a quiet evening at home' };
    const body = { ...person, setupCode: setupCodeOf(app) };
    return (
      (await new Caller(app.url).call('POST /api/auth/register', { body }, { headers })).headers.getSetCookie()[0] ?? ''
    );
  };
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'love.example' };

  it('the cookie is Secure and host-only if a trusted proxy reports HTTPS', {
    tags: ['accounts.sessions.1', 'accounts.sessions.2'],
  }, async () => {
    expect(await setBy(behindProxy, forwarded)).toMatch(SECURE);
    expect(await setBy(behindProxy)).toMatch(/^our-love-story-\w+=/);
  });

  it('the cookie is also Secure if the public address or the requesting page uses HTTPS', async () => {
    expect(await setBy(named)).toMatch(SECURE);
    expect(await setBy(named, { origin: 'https://love.example' })).toMatch(SECURE);
    expect(await setBy(named, { origin: named.url })).toMatch(/^our-love-story-\w+=.*Strict$/);
  });

  it.each([
    ['1', 'https, http', 'http'],
    ['2', 'https, http', 'https'],
    ['2', 'http, https', 'http'],
    ['2', 'https', 'https'],
    ['3', 'http, https, http', 'http'],
  ])(
    'with TRUST_PROXY=%s, a request that came by %s is %s, for the link as for the cookie',
    { tags: ['running.start.8'] },
    async (hops, proto, scheme) => {
      const app = await startTestApp(engine, { env: { TRUST_PROXY: hops } });
      const headers = { 'x-forwarded-proto': proto, 'x-forwarded-host': 'love.example', host: 'inner.example' };
      const { cookie, url } = await registerThrough(app, headers);
      expect(cookie.startsWith('__Host-')).toBe(scheme === 'https');
      expect(cookie.includes('; Secure')).toBe(scheme === 'https');
      expect(url).toMatch(new RegExp(`^${scheme}://love\\.example/auth/join/`));
      await app.close();
    },
  );

  it('reads the host that the outermost trusted proxy was asked for', { tags: ['running.start.8'] }, async () => {
    const app = await startTestApp(engine, { env: { TRUST_PROXY: '2' } });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example, love.example, inner.example' };
    expect((await registerThrough(app, headers)).url).toMatch(/^https:\/\/love\.example\/auth\/join\//);
    await app.close();
  });

  it('the link is HTTPS like the cookie if only the requesting page says so', {
    tags: ['running.start.8'],
  }, async () => {
    const headers = { 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'love.example' };
    const { cookie, url } = await registerThrough(behindProxy, { ...headers, origin: 'https://love.example' });
    expect(cookie).toMatch(SECURE);
    expect(url).toMatch(/^https:\/\/love\.example\/auth\/join\//);
  });

  it('headers of an untrusted proxy are ignored', async () => {
    const plain = await startTestApp(engine);
    expect(await setBy(plain, forwarded)).toMatch(/^our-love-story-\w+=.*Strict$/);
    await plain.close();
  });

  it('a plain cookie, which a neighboring site can set, is ignored', async () => {
    const value = (await setBy(behindProxy, forwarded)).split(/[=;]/)[1] ?? '';
    const renew = (cookie: string, headers: Record<string, string>) =>
      new Caller(behindProxy.url).request(
        'POST /api/auth/renew',
        {},
        { headers: { cookie, origin: 'https://love.example', ...headers } },
      );
    expect((await renew(`__Host-our-love-story=${value}`, forwarded)).status).toBe(200);
    expect((await renew(`our-love-story=${value}`, forwarded)).status).toBe(401);
  });

  it('the public address is never foreign', async () => {
    const value = (await setBy(named)).split(/[=;]/)[1] ?? '';
    const renew = (origin: string) =>
      new Caller(named.url).request(
        'POST /api/auth/renew',
        {},
        { headers: { cookie: `__Host-our-love-story=${value}`, origin } },
      );
    expect((await renew('https://love.example')).status).toBe(200);
    expect((await renew('http://love.example')).status).toBe(403);
    expect((await renew('https://love.example.evil.example')).status).toBe(403);
  });
});
