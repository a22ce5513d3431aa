import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../tests/support/app.ts';
import { Authenticator, makePasskey } from '../../../tests/support/authenticator.ts';
import { Caller, type Partner, registerCouple } from '../../../tests/support/client.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import { resetPassword } from './admin.ts';

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
    // Another quarter of an hour: the failures of the test before no longer count.
    ahead += 20 * MINUTE;
    ({ ada, ben } = await registerCouple(app));
  });
  afterAll(() => app.close());

  const nobody = () => new Caller(app.url);
  const optionsOf = async () => (await nobody().call('POST /api/auth/passkeys/sign-in/options')).body;
  const signIn = async (device: Authenticator, options?: { challenge: string }, how = {}) =>
    nobody().call('POST /api/auth/passkeys/sign-in', { body: device.get(options ?? (await optionsOf()), how) });

  it('are made in the settings, and sign their own user in', async () => {
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

  it('ask for a verified user, on this device and under our own address', async () => {
    const { body: options } = await ada.call('POST /api/auth/passkeys/options');
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

  it('answer a challenge once, within five minutes, and each for its own purpose and user', async () => {
    const { device } = await makePasskey(ada);
    const options = await optionsOf();
    expect((await signIn(device, options)).status).toBe(200);
    expect((await signIn(device, options)).status).toBe(401);
    const late = await optionsOf();
    ahead += 5 * MINUTE;
    expect((await signIn(device, late)).status).toBe(401);
    const { body: making } = await ada.call('POST /api/auth/passkeys/options');
    expect((await signIn(device, making)).status).toBe(401);
    const { body: adas } = await ada.call('POST /api/auth/passkeys/options');
    const stolen = new Authenticator(app.url).create(adas);
    expect((await ben.call('POST /api/auth/passkeys', { body: stolen })).status).toBe(400);
    expect(
      (await ada.call('POST /api/auth/passkeys', { body: new Authenticator(app.url).create({ challenge: 'eA' }) }))
        .status,
    ).toBe(400);
  });

  it('are refused with another key, from another origin, or with a counter that went back', async () => {
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

  it('share the limit of tries with passwords', async () => {
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

  it('are removed by their owner alone, by a recovery and by a reset on the server, and open nothing then', async () => {
    const { passkey, device } = await makePasskey(ada);
    const removed = (who: Partner) => who.call('DELETE /api/auth/passkeys/{id}', { params: { id: passkey.id } });
    expect((await removed(ben)).status).toBe(404);
    expect((await removed(ada)).status).toBe(204);
    expect((await removed(ada)).status).toBe(404);
    expect((await signIn(device)).status).toBe(401);

    const { device: second } = await makePasskey(ada);
    const { body } = await ben.call('POST /api/auth/recovery');
    const code = body.url.split('/').at(-1) ?? '';
    const set = { params: { code }, body: { newPassword: 'another quiet evening' } };
    expect((await nobody().call('POST /api/auth/recovery/{code}', set)).status).toBe(204);
    expect((await signIn(second)).status).toBe(401);

    const { device: bens } = await makePasskey(ben);
    const whose = { coupleId: ben.user.couple.id as CoupleId, userId: ben.user.id as UserId };
    await app.db.write((tx) => resetPassword(tx, whose, 'a hash'));
    expect((await signIn(bens)).status).toBe(401);
  });

  it('come once: the same device is not made a passkey of twice', async () => {
    const { device } = await makePasskey(ada);
    const { body: options } = await ada.call('POST /api/auth/passkeys/options');
    expect(options.excludeCredentials).toMatchObject([{ id: device.id }]);
    expect((await ada.call('POST /api/auth/passkeys', { body: device.create(options) })).status).toBe(409);
  });
});
