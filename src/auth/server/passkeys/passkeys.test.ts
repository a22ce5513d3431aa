import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeAgreedRecovery } from '../../../../tests/support/agreed-recovery.ts';
import { Authenticator, makePasskey, passkeyOptions } from '../../../../tests/support/authenticator.ts';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth, onPostgresOnly, onSqliteOnly } from '../../../../tests/support/engines.ts';
import { holdWrites } from '../../../../tests/support/hold-writes.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { readConfig } from '../../../base/server/process/config.ts';
import { resetPassword } from '../recovery/operator-recovery.ts';

const MINUTE = 60_000;

describeOnBoth('passkeys', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let ahead = 0;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => Date.now() + ahead });
  });
  beforeEach(async () => {
    // Advance by more than a quarter of an hour, so that earlier failures no longer count.
    ahead += 20 * MINUTE;
    ({ ada, ben } = await registerCouple(app));
  });
  afterAll(() => app.close());

  const nobody = () => new Caller(app.url);
  const optionsOf = async () => (await nobody().call('POST /api/auth/passkeys/sign-in/options')).body;
  const signIn = async (device: Authenticator, options?: { challenge: string }, how = {}) =>
    nobody().call('POST /api/auth/passkeys/sign-in', { body: device.get(options ?? (await optionsOf()), how) });

  it('are created in the settings and sign their own user in', async () => {
    const { passkey, device } = await makePasskey(ada);
    expect((await ada.call('GET /api/auth/passkeys')).body).toEqual([{ ...passkey, lastUsedAt: null }]);
    expect((await ben.call('GET /api/auth/passkeys')).body).toEqual([]);
    const answer = await signIn(device);
    expect(answer.status).toBe(200);
    expect(answer.body.user.id).toBe(ada.user.id);
    expect(answer.headers.getSetCookie()[0]).toContain('HttpOnly');
    const again = new Caller(app.url, answer.body.token);
    expect((await again.call('GET /api/auth/session')).body.user.id).toBe(ada.user.id);
    expect((await ada.call('GET /api/auth/passkeys')).body[0]?.lastUsedAt).not.toBeNull();
  });

  onSqliteOnly(engine, () => {
    it('require user verification and our own address', { tags: ['accounts.passkeys.1'] }, async () => {
      const { body: options } = await passkeyOptions(ada);
      expect(options).toMatchObject({
        rp: { id: '127.0.0.1', name: 'Our Love Story' },
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      expect(await optionsOf()).toMatchObject({ rpId: '127.0.0.1', userVerification: 'required' });
      const unverified = new Authenticator(app.url).create(options, { verified: false });
      expect((await ada.call('POST /api/auth/passkeys', { body: unverified })).status).toBe(400);
      const { device } = await makePasskey(ada);
      expect((await signIn(device, undefined, { verified: false })).status).toBe(401);
      expect((await signIn(device)).status).toBe(200);
    });
  });

  it('answer a challenge once, within five minutes, for its own purpose and user', {
    tags: ['accounts.passkeys.1'],
  }, async () => {
    const { device } = await makePasskey(ada);
    const options = await optionsOf();
    expect((await signIn(device, options)).status).toBe(200);
    expect((await signIn(device, options)).status).toBe(401);
    const late = await optionsOf();
    ahead += 5 * MINUTE;
    expect((await signIn(device, late)).status).toBe(401);
    const { body: making } = await passkeyOptions(ada);
    expect((await signIn(device, making)).status).toBe(401);
    const { body: adas } = await passkeyOptions(ada);
    const stolen = new Authenticator(app.url).create(adas);
    expect((await ben.call('POST /api/auth/passkeys', { body: stolen })).status).toBe(400);
    expect(
      (await ada.call('POST /api/auth/passkeys', { body: new Authenticator(app.url).create({ challenge: 'eA' }) }))
        .status,
    ).toBe(400);
  });

  onSqliteOnly(engine, () => {
    it('are refused with another key, from another origin, or with a decreased counter', {
      tags: ['accounts.passkeys.1'],
    }, async () => {
      const { device } = await makePasskey(ada);
      expect((await signIn(device)).status).toBe(200);
      expect((await signIn(device)).status).toBe(200);
      device.counter = 0;
      expect((await signIn(device)).status).toBe(401);
      device.counter = 9;
      const elsewhere = new Authenticator('https://evil.example');
      Object.defineProperty(elsewhere, 'id', { value: device.id });
      expect((await signIn(elsewhere)).status).toBe(401);
      const otherKey = new Authenticator(app.url);
      Object.defineProperty(otherKey, 'id', { value: device.id });
      otherKey.counter = 20;
      expect((await signIn(otherKey)).status).toBe(401);
      expect((await signIn(new Authenticator(app.url))).status).toBe(401);
      const foreign = { headers: { origin: 'https://evil.example' } };
      expect((await nobody().call('POST /api/auth/passkeys/sign-in/options', {}, foreign)).status).toBe(403);
      expect((await signIn(device)).status).toBe(200);
    });

    it('are created without reading the certificates of a device’s maker, which may name any address to load', {
      tags: ['accounts.passkeys.4'],
    }, async () => {
      const device = new Authenticator(app.url);
      const { body: options } = await passkeyOptions(ada);
      const created = device.create(options, { certified: true });
      expect((await ada.call('POST /api/auth/passkeys', { body: created })).status).toBe(201);
      expect((await signIn(device)).status).toBe(200);
    });

    it('are refused under another id than the one that the device knows', {
      tags: ['accounts.passkeys.4'],
    }, async () => {
      const { body: options } = await passkeyOptions(ada);
      const created = { ...new Authenticator(app.url).create(options), id: 'AAAA', rawId: 'AAAA' };
      expect((await ada.call('POST /api/auth/passkeys', { body: created })).status).toBe(400);
      expect((await ada.call('GET /api/auth/passkeys')).body).toEqual([]);
    });
  });

  it('are neither wrong nor counted as wrong while the database cannot be reached', {
    tags: ['accounts.passkeys.6'],
  }, async () => {
    const { device } = await makePasskey(ada);
    const { body: options } = await passkeyOptions(ada);
    const created = new Authenticator(app.url).create(options);
    const asserted = device.get(await optionsOf());
    const write = vi
      .spyOn(app.db, 'write')
      .mockRejectedValue(Object.assign(new Error('The connection is closed'), { code: '57P01' }));
    const statuses = [
      (await ada.call('POST /api/auth/passkeys', { body: created })).status,
      (await nobody().call('POST /api/auth/passkeys/sign-in', { body: asserted })).status,
    ];
    write.mockRestore();
    expect(statuses).toEqual([503, 503]);
    expect((await ada.call('POST /api/auth/passkeys', { body: created })).status).toBe(201);
    expect((await nobody().call('POST /api/auth/passkeys/sign-in', { body: asserted })).status).toBe(200);
  });

  onSqliteOnly(engine, () => {
    it('share the rate limit with passwords', { tags: ['accounts.passkeys.1'] }, async () => {
      const { device } = await makePasskey(ada);
      for (let count = 0; count < 10; count += 1) {
        expect((await signIn(device, { challenge: 'bm9uZQ' })).status).toBe(401);
      }
      const limited = await signIn(device);
      expect(limited.status).toBe(429);
      expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
      const login = await nobody().call('POST /api/auth/login', { body: { email: ada.email, password: ada.password } });
      expect(login.status).toBe(429);
    });
  });

  it('are removed only by their owner, by a recovery and by a reset on the server, and then no longer work', async () => {
    const { passkey, device } = await makePasskey(ada);
    const removed = (who: Partner) => who.call('DELETE /api/auth/passkeys/{id}', { params: { id: passkey.id } });
    expect((await removed(ben)).status).toBe(404);
    expect((await removed(ada)).status).toBe(204);
    expect((await removed(ada)).status).toBe(404);
    expect((await signIn(device)).status).toBe(401);

    const { device: second } = await makePasskey(ada);
    const code = await makeAgreedRecovery(ben, ada);
    const set = { params: { code }, body: { newPassword: 'another quiet evening' } };
    expect((await nobody().call('POST /api/auth/recovery/{code}', set)).status).toBe(204);
    expect((await signIn(second)).status).toBe(401);

    const { device: bens } = await makePasskey(ben);
    const whose = { coupleId: ben.user.couple.id as CoupleId, userId: ben.user.id as UserId };
    await app.db.write((tx) =>
      resetPassword({ config: readConfig(app.storage.env), now: Date.now }, tx, whose, 'a hash'),
    );
    expect((await signIn(bens)).status).toBe(401);
  });

  onSqliteOnly(engine, () => {
    it('are created only after the password or an existing passkey was given', {
      tags: ['accounts.passkeys.2'],
    }, async () => {
      const options = (body: object, who = ada) => who.request('POST /api/auth/passkeys/options', { body });
      for (const [body, field] of [
        [{}, 'currentPassword'],
        [{ currentPassword: null, passkey: null }, 'currentPassword'],
        [{ currentPassword: '' }, 'currentPassword'],
        [{ currentPassword: 'not at all the password' }, 'currentPassword'],
      ] as const) {
        const { status, problem } = await options(body);
        expect(status).toBe(400);
        expect(problem.errors.map((error) => error.field)).toEqual([field]);
      }
      const { device } = await makePasskey(ada);
      const shown = device.get(await optionsOf());
      expect((await options({ passkey: shown })).status).toBe(200);
      // It is valid once, and only for its own user.
      for (const [passkey, who] of [
        [shown, ada],
        [device.get(await optionsOf()), ben],
        [new Authenticator(app.url).get(await optionsOf()), ada],
        [device.get(await optionsOf(), { verified: false }), ada],
      ] as const) {
        const { status, problem } = await options({ passkey }, who);
        expect(status).toBe(400);
        expect(problem.errors.map((error) => error.field)).toEqual(['passkey']);
      }
      expect((await ada.call('GET /api/auth/session')).status).toBe(200);
    });

    it('cannot be obtained by guessing the password on a signed-in device', async () => {
      const tryOut = () => ada.call('POST /api/auth/passkeys/options', { body: { currentPassword: 'wrong, again' } });
      for (let n = 0; n < 10; n += 1) expect((await tryOut()).status).toBe(400);
      const { status, headers } = await tryOut();
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  it('are removed with the old password on request, and stay otherwise', async () => {
    const { device } = await makePasskey(ada);
    const { device: bens } = await makePasskey(ben);
    const change = (currentPassword: string, newPassword: string, removePasskeys?: boolean) =>
      ada.call('PUT /api/auth/password', { body: { currentPassword, newPassword, removePasskeys } });
    expect((await change(ada.password, 'a second quiet evening')).status).toBe(204);
    expect((await signIn(device)).status).toBe(200);
    expect((await change('not the password', 'a third quiet evening', true)).status).toBe(400);
    expect((await signIn(device)).status).toBe(200);
    expect((await change('a second quiet evening', 'a third quiet evening', true)).status).toBe(204);
    expect((await signIn(device)).status).toBe(401);
    expect((await ada.call('GET /api/auth/passkeys')).body).toEqual([]);
    expect((await signIn(bens)).status).toBe(200);
  });

  onSqliteOnly(engine, () => {
    it('allow one address 100 challenges in fifteen minutes, then reply 429', {
      tags: ['accounts.registering.4'],
    }, async () => {
      const ask = () => nobody().call('POST /api/auth/passkeys/sign-in/options');
      const challenges = () => app.db.read.selectFrom('challenges').select('challengeHash').execute();
      for (let n = 0; n < 100; n += 1) expect((await ask()).status).toBe(200);
      const rows = (await challenges()).length;
      for (let n = 0; n < 5; n += 1) {
        const { status, headers } = await ask();
        expect(status).toBe(429);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(800);
      }
      expect(await challenges()).toHaveLength(rows);
      ahead += 15 * MINUTE;
      expect((await ask()).status).toBe(200);
    });
  });

  onPostgresOnly(engine, () => {
    describe('at the same moment as a recovery', { tags: ['accounts.passkeys.3'] }, () => {
      const recover = async () => {
        const set = {
          params: { code: await makeAgreedRecovery(ben, ada) },
          body: { newPassword: 'another quiet evening' },
        };
        return async () => (await nobody().call('POST /api/auth/recovery/{code}', set)).status;
      };

      it('sign nobody in after the recovery', async () => {
        const { device } = await makePasskey(ada);
        const options = await optionsOf();
        const setPassword = await recover();
        const hold = await holdWrites(app.db, 'sessions');
        const signingIn = signIn(device, options);
        await expect.poll(hold.waiting).toBe(1);
        const recovering = setPassword();
        await expect.poll(hold.waiting).toBe(2);
        await hold.release();
        expect(await recovering).toBe(204);
        const { body } = await signingIn;
        const session = await new Caller(app.url, body.token ?? null).call('GET /api/auth/session');
        expect(session.status).toBe(401);
      });

      it('are not created by a session that it ends', async () => {
        const device = new Authenticator(app.url);
        const { body: options } = await passkeyOptions(ada);
        const setPassword = await recover();
        const hold = await holdWrites(app.db, 'passkeys');
        const making = ada.call('POST /api/auth/passkeys', { body: device.create(options) });
        await expect.poll(hold.waiting).toBe(1);
        const recovering = setPassword();
        await expect.poll(hold.waiting).toBe(2);
        await hold.release();
        expect(await recovering).toBe(204);
        await making;
        expect((await signIn(device)).status).toBe(401);
      });
    });
  });

  it('are unique: the same credential is not added twice', async () => {
    const { device } = await makePasskey(ada);
    const { body: options } = await passkeyOptions(ada);
    expect(options.excludeCredentials).toMatchObject([{ id: device.id }]);
    expect((await ada.call('POST /api/auth/passkeys', { body: device.create(options) })).status).toBe(409);
  });
});
