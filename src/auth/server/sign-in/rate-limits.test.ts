import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeAgreedRecovery } from '../../../../tests/support/agreed-recovery.ts';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { MINUTE } from '../../../base/durations.ts';
import { sweepExpired } from '../sweep-expired.ts';
import { networkOf } from './rate-limits.ts';

const WRONG = 'not my password';

describeOnBoth('too many failures', (engine) => {
  let clock = Date.now();
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let addresses = 0;
  // Each request has the header of a trusted proxy with its client's address.
  const env = { TRUST_PROXY: '1' };
  beforeEach(async () => {
    app = await startTestApp(engine, { env, now: () => clock });
    ({ ada, ben } = await registerCouple(app));
  });
  afterEach(() => app.close());

  const elsewhere = () => {
    addresses += 1;
    return `203.0.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
  };
  const login = async (
    who: { email: string; password: string },
    address = elsewhere(),
    headers: Record<string, string> = {},
    url = app.url,
  ) => {
    const body = { email: who.email, password: who.password };
    const result = await new Caller(url).request(
      'POST /api/auth/login',
      { body },
      { headers: { 'x-forwarded-for': address, ...headers } },
    );
    return result;
  };
  const fail = async (count: number, email: string | null = ada.email, address?: string) => {
    for (let i = 0; i < count; i += 1) {
      const { status } = await login({ email: email ?? `nobody${i}@example.org`, password: WRONG }, address);
      expect(status).toBe(401);
    }
  };

  describe('of an account', () => {
    it('lock it for 15 minutes, also for the right password and from every address', {
      tags: ['accounts.signin.3'],
    }, async () => {
      await fail(10);
      clock += 5 * MINUTE;
      const { status, headers } = await login(ada);
      expect(status).toBe(429);
      expect(headers.get('retry-after')).toBe('600');
      expect((await login(ben)).status).toBe(200);
      clock += 10 * MINUTE - 1;
      expect((await login(ada)).status).toBe(429);
      clock += 1;
      expect((await login(ada)).status).toBe(200);
    });

    it('are also counted for an unknown e-mail', async () => {
      await fail(10, 'nobody@example.org');
      expect((await login({ email: ' NOBODY@example.org', password: WRONG })).status).toBe(429);
    });

    it('are cleared by a success', async () => {
      for (let i = 0; i < 3; i += 1) {
        await fail(9);
        expect((await login(ada)).status).toBe(200);
      }
    });

    it('are limited also when they are concurrent', async () => {
      const all = await Promise.all(Array.from({ length: 30 }, () => login({ email: ada.email, password: WRONG })));
      const count = (status: number) => all.filter((answer) => answer.status === status).length;
      expect([count(401), count(429)]).toEqual([10, 20]);
    });

    it('are counted across all nodes', { tags: ['accounts.signin.3'] }, async () => {
      const other = await startTestApp(engine, { env, now: () => clock, storage: app.storage });
      await fail(5);
      for (let i = 0; i < 5; i += 1) {
        expect((await login({ email: ada.email, password: WRONG }, elsewhere(), {}, other.url)).status).toBe(401);
      }
      expect((await login(ada)).status).toBe(429);
      expect((await login(ada, elsewhere(), {}, other.url)).status).toBe(429);
      await other.close();
    });

    it('include wrong current passwords', async () => {
      const change = (currentPassword: string) =>
        ada.call(
          'PUT /api/auth/password',
          { body: { currentPassword, newPassword: 'another quiet evening' } },
          from(elsewhere()),
        );
      for (let i = 0; i < 10; i += 1) expect((await change(WRONG)).status).toBe(400);
      expect((await change(WRONG)).status).toBe(429);
      expect((await login(ada)).status).toBe(429);
      // The device is signed in, so the right password is still accepted.
      expect((await change(ada.password)).status).toBe(204);
    });
  });

  describe('from an address', () => {
    it('lock it for 15 minutes, no matter which accounts they were for', { tags: ['accounts.signin.3'] }, async () => {
      const address = elsewhere();
      await fail(10, null, address);
      expect((await login(ada, address)).status).toBe(429);
      expect((await login(ada)).status).toBe(200);
      clock += 15 * MINUTE;
      expect((await login(ada, address)).status).toBe(200);
    });

    it('are not cleared by a success', async () => {
      const address = elsewhere();
      await fail(9, null, address);
      expect((await login(ada, address)).status).toBe(200);
      await fail(1, 'one-more@example.org', address);
      expect((await login(ada, address)).status).toBe(429);
    });

    it('do not include successes', async () => {
      const address = elsewhere();
      for (let i = 0; i < 15; i += 1) expect((await login(ada, address)).status).toBe(200);
    });

    it('count for a whole IPv6 network', async () => {
      for (let i = 1; i <= 10; i += 1) await fail(1, `nobody${i}@example.org`, `2001:db8:1:2::${i}`);
      expect((await login(ada, '2001:db8:1:2:ffff::1')).status).toBe(429);
      expect((await login(ada, '2001:db8:1:3::1')).status).toBe(200);
    });

    it('cannot be attributed to another address by the client', async () => {
      // Of two addresses, the last one is from the proxy.
      for (let i = 0; i < 10; i += 1) await fail(1, `nobody${i}@example.org`, `198.51.100.${i}, 203.0.113.77`);
      expect((await login(ada, '198.51.100.99, 203.0.113.77')).status).toBe(429);
    });

    it.each([
      [
        'of an invitation',
        (caller: Caller, options: object) => caller.request('GET /api/auth/invitations/x', {}, options),
      ],
      [
        'of joining',
        (caller: Caller, options: object) => caller.request('POST /api/auth/join', { body: { code: 'x' } }, options),
      ],
      [
        'of recovering',
        (caller: Caller, options: object) => caller.request('POST /api/auth/recovery/x', { body: {} }, options),
      ],
    ])('include wrong codes %s', async (_, guess) => {
      const address = elsewhere();
      const nobody = new Caller(app.url);
      for (let i = 0; i < 10; i += 1) expect((await guess(nobody, from(address))).status).toBe(404);
      const refused = await guess(nobody, from(address));
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await login(ada, address)).status).toBe(429);
    });
  });

  describe('while a device is signed in', () => {
    it('never lock out the right password on it', { tags: ['accounts.signin.3'] }, async () => {
      await fail(10);
      const address = elsewhere();
      await fail(10, null, address);
      expect((await login(ada, address, { cookie: ada.cookie })).status).toBe(200);
    });

    it('still refuse a wrong password on it', async () => {
      await fail(10);
      const wrong = { email: ada.email, password: WRONG };
      for (let i = 0; i < 20; i += 1)
        expect((await login(wrong, elsewhere(), { cookie: ada.cookie })).status).toBe(429);
      expect((await login(ada, elsewhere(), { cookie: ada.cookie })).status).toBe(200);
    });

    it('lock out every other device: one of the partner, and one signed out', async () => {
      await fail(10);
      expect((await login(ada, elsewhere(), { cookie: ben.cookie })).status).toBe(429);
      await ada.call('POST /api/auth/logout');
      expect((await login(ada, elsewhere(), { cookie: ada.cookie })).status).toBe(429);
    });

    it('are limited there too, at a higher number', async () => {
      const wrong = { email: ada.email, password: WRONG };
      await Promise.all(Array.from({ length: 100 }, () => login(wrong, '203.0.113.1', { cookie: ada.cookie })));
      expect((await login(ada, elsewhere(), { cookie: ada.cookie })).status).toBe(429);
    });
  });

  it('are cleared when the password is reset', async () => {
    await fail(10);
    const code = await makeAgreedRecovery(ben, ada);
    const newPassword = 'a new evening at home';
    const set = await new Caller(app.url).call('POST /api/auth/recovery/{code}', {
      params: { code },
      body: { newPassword },
    });
    expect(set.status).toBe(204);
    expect((await login({ email: ada.email, password: newPassword })).status).toBe(200);
  });

  it('leave no rows behind when they have expired', async () => {
    await fail(3);
    const rows = () => app.db.read.selectFrom('tries').selectAll().execute();
    expect(JSON.stringify(await rows())).not.toContain(ada.email);
    const deps = await depsOf(app, () => clock);
    await sweepExpired(deps);
    expect(await rows()).not.toEqual([]);
    clock += 120 * MINUTE;
    await sweepExpired(deps);
    expect(await rows()).toEqual([]);
  });
});

function from(address: string) {
  return { headers: { 'x-forwarded-for': address } };
}

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the network of %s is %s', (address, expected) => {
  expect(networkOf(address)).toBe(expected);
});
