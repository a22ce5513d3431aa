import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth, onSqliteOnly } from '../../../../tests/support/engines.ts';
import { registerAda, setupCodeOf } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../../../tests/support/test-app.ts';
import { parseInstant } from '../../../base/instants.ts';
import { authLimits } from '../../rules.ts';

const ADA = { email: 'ada@example.org', displayName: 'Ada', password: 'a quiet evening at home' };

describeOnBoth('registering', (engine) => {
  let app: TestApp;
  const opened: TestApp[] = [];
  beforeAll(async () => {
    app = await startTestApp(engine);
  });
  afterEach(async () => {
    // The first app owns the storage and removes it, so it closes last.
    for (const each of opened.splice(0).toReversed()) await each.close();
  });
  afterAll(() => app.close());
  const startApp = async (options: TestAppOptions) => {
    const started = await startTestApp(engine, options);
    opened.push(started);
    return started;
  };
  const start = async (options: TestAppOptions) => new Caller((await startApp(options)).url);

  it('creates a couple and its first partner, signed in', async () => {
    const before = Date.now();
    const body = { ...ADA, email: '  Ada.Lovelace@Example.org ', displayName: ' Ada ', timeZone: 'europe/rome' };
    const { status, body: answer } = await new Caller(app.url).call('POST /api/auth/register', { body });
    expect(status).toBe(201);
    expect(answer.user).toMatchObject({
      email: 'Ada.Lovelace@Example.org',
      displayName: 'Ada',
      partner: null,
      couple: { timeZone: 'Europe/Rome', togetherSince: null },
    });
    expect(parseInstant(answer.expiresAt)).toBeGreaterThanOrEqual(before + 30 * 86_400_000);
    const session = await new Caller(app.url, answer.token).call('GET /api/auth/session');
    expect(session.body).toEqual({ user: answer.user, expiresAt: answer.expiresAt });
  });

  onSqliteOnly(engine, () => {
    it('uses UTC if no time zone is given', async () => {
      const { user } = await registerAda(app, 'utc@example.org');
      expect(user.couple.timeZone).toBe('UTC');
      const body = { ...ADA, email: 'blank@example.org', timeZone: ' ' };
      expect((await new Caller(app.url).call('POST /api/auth/register', { body })).body.user.couple.timeZone).toBe(
        'UTC',
      );
    });
  });

  it('refuses an e-mail that is in use, in any case', async () => {
    await registerAda(app, 'taken@example.org');
    const again = { ...ADA, email: 'TAKEN@example.org ' };
    const { status, problem } = await new Caller(app.url).call('POST /api/auth/register', { body: again });
    expect(status).toBe(409);
    expect(problem.errors.map(({ field }) => field)).toEqual(['email']);
  });

  it('gives an e-mail to only one of three concurrent requests', async () => {
    const body = { ...ADA, email: 'at-once@example.org' };
    const all = await Promise.all([1, 2, 3].map(() => new Caller(app.url).call('POST /api/auth/register', { body })));
    expect(all.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409, 409]);
  });

  onSqliteOnly(engine, () => {
    it.each([
      ['email', { email: 'not an address' }],
      ['email', { email: `${'a'.repeat(243)}@example.org` }],
      ['displayName', { displayName: '   ' }],
      ['displayName', { displayName: 'a'.repeat(61) }],
      ['displayName', { displayName: 'A\u0000da' }],
      ['password', { password: 'too short' }],
      ['password', { password: '💜'.repeat(257) }],
      ['password', { password: 'Password123' }],
      ['password', { password: 'a quiet\u0000evening at home' }],
      ['password', { password: 'a quiet \ud800 evening at home' }],
      ['timeZone', { timeZone: 'Middle/Earth' }],
      ['timeZone', { timeZone: '+01:00' }],
    ])('refuses a wrong %s: %j', async (field, wrong) => {
      const body = { ...ADA, email: 'wrong@example.org', ...wrong };
      const { status, problem } = await new Caller(app.url).call('POST /api/auth/register', { body });
      expect(status).toBe(400);
      expect(problem.errors.map((error) => error.field)).toEqual([field]);
    });

    it('accepts values of the maximum length', async () => {
      const body = {
        email: `${'a'.repeat(242)}@example.org`,
        displayName: '👩‍👩‍👧'.repeat(12),
        password: '💜'.repeat(256),
      };
      expect((await new Caller(app.url).call('POST /api/auth/register', { body })).status).toBe(201);
      const { email, password } = body;
      expect((await new Caller(app.url).call('POST /api/auth/login', { body: { email, password } })).status).toBe(200);
    });

    it('ignores fields that the user may not set', async () => {
      const { user } = await registerAda(app, 'honest@example.org');
      const body = {
        ...ADA,
        email: 'sly@example.org',
        coupleId: user.couple.id,
        id: user.id,
        // In a literal, it would set the prototype, and not be sent.
        ...(JSON.parse('{"__proto__":{"admin":true}}') as object),
      };
      const sly = await new Caller(app.url).call('POST /api/auth/register', { body });
      expect(JSON.stringify(body)).toContain('"__proto__":{"admin":true}');
      expect(sly.status).toBe(201);
      expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
      expect(sly.body.user.id).not.toBe(user.id);
      expect(sly.body.user.couple.id).not.toBe(user.couple.id);
    });
  });

  describe('for the first couple only', () => {
    it('is closed afterwards, as the status says', { tags: ['accounts.registering.1'] }, async () => {
      const caller = await start({ env: { REGISTRATION: 'first' } });
      expect((await caller.call('GET /api/auth/status')).body).toMatchObject({
        registration: 'first',
        needsSetupCode: false,
      });
      expect((await caller.call('POST /api/auth/register', { body: ADA })).status).toBe(201);
      expect((await caller.call('GET /api/auth/status')).body).toMatchObject({
        registration: 'closed',
        needsSetupCode: false,
      });
      const second = { ...ADA, email: 'eve@example.org' };
      expect((await caller.call('POST /api/auth/register', { body: second })).status).toBe(403);
      expect((await caller.request('POST /api/auth/register', { body: {} })).status).toBe(403);
    });

    it('is for one couple even with several concurrent requests', async () => {
      const caller = await start({ env: { REGISTRATION: 'first' } });
      const all = await Promise.all(
        [1, 2, 3, 4, 5].map((i) =>
          caller.call('POST /api/auth/register', { body: { ...ADA, email: `${i}@example.org` } }),
        ),
      );
      expect(all.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 403, 403, 403, 403]);
    });
  });

  onSqliteOnly(engine, () => {
    it('is refused if it is closed', { tags: ['accounts.registering.1'] }, async () => {
      const caller = await start({ env: { REGISTRATION: 'closed', HOST: '0.0.0.0' } });
      expect((await caller.call('GET /api/auth/status')).body).toMatchObject({
        registration: 'closed',
        needsSetupCode: false,
      });
      expect((await caller.call('POST /api/auth/register', { body: ADA })).status).toBe(403);
    });

    it('is allowed for everyone if it is open', { tags: ['accounts.registering.1'] }, async () => {
      expect((await new Caller(app.url).call('GET /api/auth/status')).body).toMatchObject({
        registration: 'open',
        needsSetupCode: false,
      });
    });
  });

  it('lets one address register 20 couples in fifteen minutes, then replies 429', {
    tags: ['accounts.registering.4'],
  }, async () => {
    let ahead = 0;
    const options = {
      env: { TRUST_PROXY: '1' },
      registrations: authLimits.registrations,
      now: () => Date.now() + ahead,
    };
    const app = await startApp(options);
    const other = await startApp({ ...options, storage: app.storage });
    const setupCode = setupCodeOf(app);
    const register = async (n: number, address: string) => {
      const body = { ...ADA, email: `${address}-${n}@example.org`, setupCode };
      const headers = { 'x-forwarded-for': address };
      return new Caller((n % 2 ? app : other).url).call('POST /api/auth/register', { body }, { headers });
    };
    const answers = [];
    for (let n = 0; n < 25; n += 1) answers.push(await register(n, '203.0.113.7'));
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array<number>(20).fill(201),
      ...Array<number>(5).fill(429),
    ]);
    expect(Number(answers[24]?.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await register(1, '203.0.113.8')).status).toBe(201);
    ahead = authLimits.triesWindow;
    expect((await register(26, '203.0.113.7')).status).toBe(201);
  });
});
