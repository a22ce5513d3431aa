import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../../../../tests/support/app.ts';
import { Caller, registerAda, registerCouple, setupCodeOf } from '../../../../tests/support/client.ts';
import { describeOnBoth, onPostgresOnly, onSqliteOnly, postgresAndS3 } from '../../../../tests/support/engines.ts';
import { parseInstant } from '../../../base/time.ts';
import { authLimits } from '../../rules.ts';
import { hashOfSecret } from '../secrets.ts';

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

  describe('beyond this machine', { tags: ['accounts.registering.2'] }, () => {
    const register = (caller: Caller, more: object = {}) =>
      caller.call('POST /api/auth/register', { body: { ...ADA, ...more } });
    const needsSetupCode = async (caller: Caller) => (await caller.call('GET /api/auth/status')).body.needsSetupCode;

    onSqliteOnly(engine, () => {
      it.each([
        [{ HOST: '0.0.0.0' }],
        [{ HOST: '0.0.0.0', REGISTRATION: 'first' }],
        [{ TRUST_PROXY: '1', REGISTRATION: 'first' }],
        [{ PUBLIC_URL: 'https://love.example', REGISTRATION: 'first' }],
      ])('requires the printed code from the first couple: %j', async (env) => {
        const app = await startApp({ env });
        const caller = new Caller(app.url);
        expect(app.printed).toEqual([expect.stringMatching(/^Setup code: [0-9A-Z]{4}(-[0-9A-Z]{4}){3}\n$/)]);
        const setupCode = setupCodeOf(app) ?? '';
        expect(await needsSetupCode(caller)).toBe(true);
        for (const wrong of [{}, { setupCode: null }, { setupCode: '' }, { setupCode: 'AAAA-AAAA-AAAA-AAAA' }]) {
          expect((await register(caller, wrong)).status).toBe(403);
        }
        const typed = setupCode.toLowerCase().replaceAll('-', ' ');
        expect((await register(caller, { setupCode: typed })).status).toBe(201);
        expect(await needsSetupCode(caller)).toBe(false);
        expect(app.printed).toHaveLength(1);
      });

      it.each([[{ HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:3000' }], [{ PUBLIC_URL: 'http://[::1]:3000' }]])(
        'begins beyond it: %j asks for none',
        async (env) => {
          const app = await startApp({ env });
          expect(app.printed).toEqual([]);
          expect((await register(new Caller(app.url))).status).toBe(201);
        },
      );
    });

    const registerAt = async (app: TestApp, host: string, payload: object = ADA) => {
      const headers = { host, origin: `http://${host}` };
      return (await app.fastify.inject({ method: 'POST', url: '/api/auth/register', headers, payload })).statusCode;
    };

    onSqliteOnly(engine, () => {
      // A stranger's name may lead to this machine (DNS rebinding). To the browser, their page is then one of ours.
      it.each(['attacker.example:3000', '192.168.1.5', 'localhost.attacker.example', '127.0.0.1.attacker.example'])(
        'begins with a name that is not this machine’s: %s needs the code',
        { tags: ['accounts.registering.3'] },
        async (host) => {
          const app = await startApp({ env: { REGISTRATION: 'first' } });
          expect(app.printed).toEqual([]);
          expect(await registerAt(app, host)).toBe(403);
          const status = await app.fastify.inject({ url: '/api/auth/status', headers: { host } });
          expect(status.json()).toMatchObject({ registration: 'first', needsSetupCode: true });
          expect(await needsSetupCode(new Caller(app.url))).toBe(false);
          expect(await registerAt(app, host, { ...ADA, setupCode: setupCodeOf(app) })).toBe(201);
        },
      );

      it.each(['localhost', 'LOCALHOST:3000', 'localhost.:3000', '127.8.9.10:80', '[::1]:3000'])(
        'does not begin with a name of this machine: %s needs no code',
        { tags: ['accounts.registering.3'] },
        async (host) => {
          const app = await startApp({ env: { REGISTRATION: 'first' } });
          expect(await registerAt(app, host)).toBe(201);
        },
      );
    });

    it('uses one code for all nodes, including later and restarted ones', async () => {
      const env = { HOST: '0.0.0.0' };
      const first = await startApp({ env });
      const { storage } = first;
      const others = [await startApp({ storage, env }), await startApp({ storage, env })];
      const codes = [first, ...others].map(setupCodeOf);
      expect(codes[0]).not.toBeNull();
      expect(new Set(codes).size).toBe(1);
      const rows = await first.db.read.selectFrom('setupCodes').selectAll().execute();
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toContain(codes[0]);
      expect(rows[0]?.codeHash).toBe(hashOfSecret((codes[0] ?? '').replaceAll('-', '')));
      const setupCode = codes[0];
      expect((await register(new Caller(others[1]?.url ?? ''), { setupCode })).status).toBe(201);
      expect(await first.db.read.selectFrom('setupCodes').selectAll().execute()).toEqual([]);
    });

    // SQLite allows only one process.
    onPostgresOnly(engine, () => {
      it('creates one code when several nodes start at the same time', async () => {
        const { storage } = await startApp({});
        const env = { HOST: '0.0.0.0' };
        const nodes = await Promise.all([1, 2, 3].map(() => startApp({ storage, env })));
        expect(setupCodeOf(nodes[0] ?? {})).not.toBeNull();
        expect(new Set(nodes.map(setupCodeOf)).size).toBe(1);
      });
    });

    it('prints a new code on every node after the last couple is deleted, and rejects the used one', async () => {
      const env = { HOST: '0.0.0.0', REGISTRATION: 'first' };
      const app = await startApp({ env });
      const other = await startApp({ storage: app.storage, env });
      const before = setupCodeOf(app);
      const { ada, ben } = await registerCouple(app);
      for (const who of [ada, ben]) {
        const body = { currentPassword: who.password };
        expect((await who.call('POST /api/couple/deletion', { body })).status).toBeLessThan(300);
      }
      const after = setupCodeOf(app);
      expect(app.printed).toHaveLength(2);
      expect(after).not.toBe(before);
      expect(other.printed).toHaveLength(1);
      const elsewhere = new Caller(other.url);
      expect(await needsSetupCode(elsewhere)).toBe(true);
      expect(await needsSetupCode(elsewhere)).toBe(true);
      expect(other.printed).toHaveLength(2);
      expect(setupCodeOf(other)).toBe(after);
      expect((await register(elsewhere, { setupCode: before })).status).toBe(403);
      expect((await register(elsewhere, { setupCode: after })).status).toBe(201);
    });

    it('accepts only one of several concurrent requests with the code', async () => {
      const env = { HOST: '0.0.0.0', REGISTRATION: 'first' };
      const app = await startApp({ env });
      // Two SQLite connections in one process block each other, so use one node there.
      const other = engine === postgresAndS3 ? await startApp({ storage: app.storage, env }) : app;
      const setupCode = setupCodeOf(app);
      const all = await Promise.all(
        [1, 2, 3, 4].map((i) =>
          register(new Caller((i % 2 ? app : other).url), { setupCode, email: `${i}@example.org` }),
        ),
      );
      expect(all.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 403, 403, 403]);
    });

    onSqliteOnly(engine, () => {
      it('prints none after a registration', async () => {
        const inside = await startApp({});
        await registerAda(inside);
        const outside = await startApp({ storage: inside.storage, env: { HOST: '0.0.0.0' } });
        expect(outside.printed).toEqual([]);
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
