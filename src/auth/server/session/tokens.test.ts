import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth, postgresAndS3 } from '../../../../tests/support/engines.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { DAY, HOUR } from '../../../base/durations.ts';
import { parseInstant } from '../../../base/instants.ts';
import { authLimits } from '../../rules.ts';
import { hashOfSecret } from '../secrets.ts';

const secretOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);

describeOnBoth('the bearer token', (engine) => {
  let clock = Date.now();
  let app: TestApp;
  let other: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => clock });
    // SQLite allows only one process, and two servers in one process can block each other.
    other = engine === postgresAndS3 ? await startTestApp(engine, { now: () => clock, storage: app.storage }) : app;
    ({ ada } = await registerCouple(app));
  });
  afterAll(async () => {
    if (other !== app) await other.close();
    await app.close();
  });

  const status = async (token: string, { url } = app) =>
    (await new Caller(url, token).call('GET /api/auth/session')).status;
  const renew = (cookie: string, { url } = app) =>
    new Caller(url).call('POST /api/auth/renew', {}, { headers: { cookie, origin: url } });
  async function freshAda() {
    const body = { email: ada.email, password: ada.password };
    const { body: answer, headers } = await new Caller(app.url).call('POST /api/auth/login', { body });
    return { ...answer, cookie: (headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '' };
  }
  const tokensStored = async () => {
    const rows = await app.db.read.selectFrom('sessionTokens').select('tokenHash').execute();
    return new Set(rows.map(({ tokenHash }) => tokenHash));
  };

  it('is not the secret of the cookie, and neither works in the other’s place', {
    tags: ['accounts.sessions.4'],
  }, async () => {
    const self = await freshAda();
    const renewed = (await renew(self.cookie)).body;
    for (const token of [self.token, renewed.token]) {
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(token).not.toBe(secretOf(self.cookie));
      expect(await status(token)).toBe(200);
      expect((await renew(`our-love-story=${token}`)).status).toBe(401);
    }
    expect(await status(secretOf(self.cookie))).toBe(401);
    expect(await status(secretOf(self.cookie), other)).toBe(401);
  });

  it('is valid for an hour on every node, and a renewal issues a new one for the same session', {
    tags: ['accounts.sessions.5'],
  }, async () => {
    const self = await freshAda();
    clock += HOUR - 1;
    expect([await status(self.token), await status(self.token, other)]).toEqual([200, 200]);
    clock += 1;
    expect([await status(self.token), await status(self.token, other)]).toEqual([401, 401]);
    const { body, headers } = await renew(self.cookie, other);
    expect(headers.getSetCookie()).toEqual([]);
    expect([await status(body.token), await status(body.token, other)]).toEqual([200, 200]);
    // When the session expires, not the token: 30 days after its last use, stored a millisecond ago.
    expect(parseInstant(body.expiresAt)).toBe(clock - 1 + 30 * DAY);
  });

  it('of one tab stays valid while others renew, also concurrently, and no device is added', {
    tags: ['accounts.sessions.5'],
  }, async () => {
    const self = await freshAda();
    const devices = async (token: string) => (await new Caller(app.url, token).call('GET /api/auth/sessions')).body;
    const before = await devices(self.token);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => renew(self.cookie, n % 2 ? app : other)));
    const tokens = [self.token, ...answers.map(({ body }) => body.token)];
    expect(new Set(tokens).size).toBe(13);
    expect(await Promise.all(tokens.map((token) => status(token)))).toEqual(tokens.map(() => 200));
    expect((await devices(self.token)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  it('ends at once with its session, on every node', { tags: ['accounts.sessions.5'] }, async () => {
    const self = await freshAda();
    const { body } = await renew(self.cookie);
    expect(await status(body.token, other)).toBe(200);
    expect((await new Caller(app.url, self.token).call('POST /api/auth/logout')).status).toBe(204);
    for (const token of [self.token, body.token]) {
      expect([await status(token), await status(token, other)]).toEqual([401, 401]);
    }
    expect((await renew(self.cookie, other)).status).toBe(401);
    expect(await tokensStored()).not.toContain(hashOfSecret(body.token));
  });

  it('is limited in number: the oldest are dropped first', { tags: ['accounts.sessions.5'] }, async () => {
    const self = await freshAda();
    const tokens = [self.token];
    for (let n = 0; n < authLimits.tokens; n += 1) {
      clock += 1;
      tokens.push((await renew(self.cookie)).body.token);
    }
    expect(await status(tokens[0] ?? '')).toBe(401);
    expect(await status(tokens[1] ?? '')).toBe(200);
    expect(await status(tokens.at(-1) ?? '')).toBe(200);
  });

  it('is deleted once it has expired', { tags: ['accounts.sessions.5'] }, async () => {
    const self = await freshAda();
    const tokens = [self.token, (await renew(self.cookie)).body.token];
    clock += HOUR;
    const last = (await renew(self.cookie)).body.token;
    const stored = await tokensStored();
    expect(stored).toContain(hashOfSecret(last));
    expect(tokens.filter((token) => stored.has(hashOfSecret(token)))).toEqual([]);
  });

  const streamOf = async (token: string) => {
    const response = await fetch(`${app.url}/api/events`, { headers: { authorization: `Bearer ${token}` } });
    return response.body?.pipeThrough(new TextDecoderStream()).getReader();
  };

  it('does not cut a live stream when it expires', async () => {
    const self = await freshAda();
    const reader = await streamOf(self.token);
    clock += 2 * HOUR;
    expect(await status(self.token)).toBe(401);
    await ada.call('POST /api/DateIdeas', { body: { title: 'Two hours later', category: 'Outdoor' } });
    let text = '';
    while (!text.includes('event: change')) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: '' };
      if (done) throw new Error('The stream ended with its token');
      text += value;
    }
    await reader?.cancel();
  });

  it('cuts a live stream when its session ends', async () => {
    const self = await freshAda();
    const reader = await streamOf(self.token);
    await new Caller(app.url, self.token).call('POST /api/auth/logout');
    let part = await reader?.read();
    while (part && !part.done) part = await reader?.read();
    expect(part?.done).toBe(true);
  });

  it('is issued on a full disk too, and ends with its session', { tags: ['accounts.sessions.7'] }, async () => {
    const self = await freshAda();
    clock += 2 * HOUR;
    const full = Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
    const write = vi.spyOn(app.db, 'write').mockRejectedValue(full);
    const { status: answered, body } = await renew(self.cookie);
    expect(answered).toBe(200);
    expect(await status(body.token)).toBe(200);
    write.mockRestore();
    expect((await new Caller(app.url, body.token).call('POST /api/auth/logout')).status).toBe(204);
    expect(await status(body.token)).toBe(401);
  });
});
