import { afterEach, expect, it } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth, onPostgresOnly, onSqliteOnly, postgresAndS3 } from '../../../../tests/support/engines.ts';
import { registerAda, registerCouple, setupCodeOf } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../../../tests/support/test-app.ts';
import { hashOfSecret } from '../secrets.ts';

const ADA = { email: 'ada@example.org', displayName: 'Ada', password: 'a quiet evening at home' };

describeOnBoth('the setup code', { tags: ['accounts.registering.2'] }, (engine) => {
  const opened: TestApp[] = [];
  afterEach(async () => {
    // The first app owns the storage and removes it, so it closes last.
    for (const each of opened.splice(0).toReversed()) await each.close();
  });
  const startApp = async (options: TestAppOptions) => {
    const started = await startTestApp(engine, options);
    opened.push(started);
    return started;
  };
  const register = (caller: Caller, more: object = {}) =>
    caller.call('POST /api/auth/register', { body: { ...ADA, ...more } });
  const needsSetupCode = async (caller: Caller) => (await caller.call('GET /api/auth/status')).body.needsSetupCode;

  onSqliteOnly(engine, () => {
    it.each([
      [{ HOST: '0.0.0.0' }],
      [{ HOST: '0.0.0.0', REGISTRATION: 'first' }],
      [{ TRUST_PROXY: '1', REGISTRATION: 'first' }],
      [{ PUBLIC_URL: 'https://love.example', REGISTRATION: 'first' }],
    ])('is printed, and needed to register the first couple, if other machines reach the server: %j', async (env) => {
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
      'is not needed if only this machine reaches the server: %j',
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
      'is needed at a name that is not this machine’s: %s',
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
      'is not needed at a name of this machine: %s',
      { tags: ['accounts.registering.3'] },
      async (host) => {
        const app = await startApp({ env: { REGISTRATION: 'first' } });
        expect(await registerAt(app, host)).toBe(201);
      },
    );
  });

  it('is the same on all nodes, including ones that start later', async () => {
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

  // Several SQLite connections in one process block each other.
  onPostgresOnly(engine, () => {
    it('is the same if several nodes start at the same time', async () => {
      const { storage } = await startApp({});
      const env = { HOST: '0.0.0.0' };
      const nodes = await Promise.all([1, 2, 3].map(() => startApp({ storage, env })));
      expect(setupCodeOf(nodes[0] ?? {})).not.toBeNull();
      expect(new Set(nodes.map(setupCodeOf)).size).toBe(1);
    });
  });

  it('is a new one on every node after the last couple is deleted, and the used one is refused', async () => {
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

  it('counts for one of several concurrent requests', async () => {
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
    it('is not printed once a couple is registered', async () => {
      const inside = await startApp({});
      await registerAda(inside);
      const outside = await startApp({ storage: inside.storage, env: { HOST: '0.0.0.0' } });
      expect(outside.printed).toEqual([]);
    });
  });
});
