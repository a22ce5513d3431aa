import type * as Argon2 from '@node-rs/argon2';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import type { CallName } from '../../../base/call.ts';
import { DAY } from '../../../base/durations.ts';
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

describeOnBoth('signing in with e-mail and password', (engine) => {
  const now = Date.now();
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    // Without the tests' cost, so that it is production's.
    app = await startTestApp(engine, { now: () => now, passwordCost: undefined });
    ({ ada, ben } = await registerCouple(app));
  });
  afterAll(() => app.close());
  const nobody = () => new Caller(app.url);
  const login = (who: Partner) =>
    nobody().call('POST /api/auth/login', { body: { email: who.email, password: who.password } });

  it('replies with a token and the user with the partner', async () => {
    const { status, body } = await login(ada);
    expect(status).toBe(200);
    expect(body.token).toMatch(/^[\w-]{43}$/);
    expect(body.user).toMatchObject({ email: ada.email, partner: { id: ben.user.id, displayName: 'Ben' } });
    expect(parseInstant(body.expiresAt)).toBe(now + 30 * DAY);
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
