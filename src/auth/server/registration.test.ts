import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../../../tests/support/app.ts';
import { Caller, registerAda } from '../../../tests/support/client.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { parseInstant } from '../../base/time.ts';
import { isLoopback } from './setup.ts';

const ADA = { email: 'ada@example.org', displayName: 'Ada', password: 'a quiet evening at home' };

describeOnBoth('registering', (engine) => {
  let app: TestApp;
  const opened: TestApp[] = [];
  beforeAll(async () => {
    app = await startTestApp(engine);
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });
  afterAll(() => app.close());
  const start = async (options: TestAppOptions) => {
    const started = await startTestApp(engine, options);
    opened.push(started);
    return new Caller(started.url);
  };

  it('makes a couple and its first partner, signed in', async () => {
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

  it('takes UTC where no time zone is given', async () => {
    const { user } = await registerAda(app, 'utc@example.org');
    expect(user.couple.timeZone).toBe('UTC');
    const body = { ...ADA, email: 'blank@example.org', timeZone: ' ' };
    expect((await new Caller(app.url).call('POST /api/auth/register', { body })).body.user.couple.timeZone).toBe('UTC');
  });

  it('refuses an e-mail that somebody has, in whatever case', async () => {
    await registerAda(app, 'taken@example.org');
    const again = { ...ADA, email: 'TAKEN@example.org ' };
    const { status, problem } = await new Caller(app.url).call('POST /api/auth/register', { body: again });
    expect(status).toBe(409);
    expect(problem.errors.map(({ field }) => field)).toEqual(['email']);
  });

  it('lets one of two at the same moment have an e-mail', async () => {
    const body = { ...ADA, email: 'at-once@example.org' };
    const both = await Promise.all([1, 2, 3].map(() => new Caller(app.url).call('POST /api/auth/register', { body })));
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409, 409]);
  });

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

  it('takes what is as long as it may be', async () => {
    const body = {
      email: `${'a'.repeat(242)}@example.org`,
      displayName: '👩‍👩‍👧'.repeat(12),
      password: '💜'.repeat(256),
    };
    expect((await new Caller(app.url).call('POST /api/auth/register', { body })).status).toBe(201);
    const { email, password } = body;
    expect((await new Caller(app.url).call('POST /api/auth/login', { body: { email, password } })).status).toBe(200);
  });

  it('keeps no field that is not theirs to set', async () => {
    const { user } = await registerAda(app, 'honest@example.org');
    const body = {
      ...ADA,
      email: 'sly@example.org',
      coupleId: user.couple.id,
      id: user.id,
      __proto__: { admin: true },
    };
    const sly = await new Caller(app.url).call('POST /api/auth/register', { body });
    expect(sly.status).toBe(201);
    expect(sly.body.user.id).not.toBe(user.id);
    expect(sly.body.user.couple.id).not.toBe(user.couple.id);
  });

  describe('by default', () => {
    it('is for the first couple alone, as the status tells', async () => {
      const caller = await start({ env: { REGISTRATION: 'first' } });
      expect((await caller.call('GET /api/auth/status')).body).toEqual({
        registration: 'first',
        needsSetupCode: false,
      });
      expect((await caller.call('POST /api/auth/register', { body: ADA })).status).toBe(201);
      expect((await caller.call('GET /api/auth/status')).body).toEqual({
        registration: 'closed',
        needsSetupCode: false,
      });
      const second = { ...ADA, email: 'eve@example.org' };
      expect((await caller.call('POST /api/auth/register', { body: second })).status).toBe(403);
      expect((await caller.ask('POST /api/auth/register', { body: {} })).status).toBe(403);
    });

    it('is for one couple also where several come at once', async () => {
      const caller = await start({ env: { REGISTRATION: 'first' } });
      const all = await Promise.all(
        [1, 2, 3, 4, 5].map((i) =>
          caller.call('POST /api/auth/register', { body: { ...ADA, email: `${i}@example.org` } }),
        ),
      );
      expect(all.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 403, 403, 403, 403]);
    });
  });

  it('is for nobody where it is closed', async () => {
    const caller = await start({ env: { REGISTRATION: 'closed', HOST: '0.0.0.0' } });
    expect((await caller.call('GET /api/auth/status')).body).toEqual({ registration: 'closed', needsSetupCode: false });
    expect((await caller.call('POST /api/auth/register', { body: ADA })).status).toBe(403);
  });

  it('is for everybody where it is open', async () => {
    expect((await new Caller(app.url).call('GET /api/auth/status')).body).toEqual({
      registration: 'open',
      needsSetupCode: false,
    });
  });

  describe('beyond this machine', () => {
    it.each(['first', 'open'])('asks the first for the code that the server prints (%s)', async (REGISTRATION) => {
      const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      const caller = await start({ env: { REGISTRATION, HOST: '0.0.0.0' } });
      const said = print.mock.calls.map(([text]) => String(text)).join('');
      print.mockRestore();
      const setupCode = /^Setup code: (\S{19})\n$/.exec(said)?.[1] ?? '';
      expect(setupCode).not.toBe('');
      expect((await caller.call('GET /api/auth/status')).body).toMatchObject({ needsSetupCode: true });
      for (const wrong of [{}, { setupCode: null }, { setupCode: '' }, { setupCode: 'AAAA-AAAA-AAAA-AAAA' }]) {
        expect((await caller.call('POST /api/auth/register', { body: { ...ADA, ...wrong } })).status).toBe(403);
      }
      const typed = setupCode.toLowerCase().replaceAll('-', ' ');
      expect((await caller.call('POST /api/auth/register', { body: { ...ADA, setupCode: typed } })).status).toBe(201);
      expect((await caller.call('GET /api/auth/status')).body).toMatchObject({ needsSetupCode: false });
    });

    it('prints none once somebody has registered', async () => {
      const place = (await startInside(engine)).place;
      const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      await start({ place, env: { HOST: '0.0.0.0' } });
      expect(print).not.toHaveBeenCalled();
      print.mockRestore();
    });

    /** A server on which a couple lives. */
    async function startInside(on: typeof engine): Promise<TestApp> {
      const inside = await startTestApp(on);
      opened.push(inside);
      await registerAda(inside);
      return inside;
    }
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.5', false],
  ['127.0.0.1.example.org', false],
])('knows whether %s is this machine alone: %s', (host, answer) => {
  expect(isLoopback(host)).toBe(answer);
});
