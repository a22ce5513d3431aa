import { afterAll, beforeAll, expect, it } from 'vitest';
import { Authenticator } from '../../../../tests/support/authenticator.ts';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { type OpenIdApp, startOpenIdApp } from '../../../../tests/support/openid-app.ts';
import type { UserId } from '../../../base/ids.ts';

describeOnBoth('an account without a password', (engine) => {
  let openId: OpenIdApp;
  let people = 0;
  beforeAll(async () => {
    openId = await startOpenIdApp(engine);
  });
  afterAll(() => openId.close());

  /** Registers at the provider. */
  const register = async () => {
    people += 1;
    const login = `only${people}`;
    const browser = openId.browser();
    await browser.roundTrip({ intent: 'register' }, login);
    const body = { displayName: 'Cleo', email: `${login}@example.org` };
    const { token, user } = (await browser.call('POST /api/auth/oidc/finish', { body })).body;
    const cleo = new Caller(openId.app.url, token);
    const confirm = async () => {
      const { location } = await openId.browser().roundTrip({ intent: 'confirm' }, login, cleo);
      return { oidcProof: location.split('=').at(-1) ?? '' };
    };
    const addPasskey = async () => {
      const device = new Authenticator(openId.app.url);
      const { body: options } = await cleo.call('POST /api/auth/passkeys/options', { body: await confirm() });
      return (await cleo.call('POST /api/auth/passkeys', { body: device.create(options) })).body;
    };
    const removePasskey = (id: string) => cleo.call('DELETE /api/auth/passkeys/{id}', { params: { id } });
    return { cleo, userId: user.id as UserId, confirm, addPasskey, removePasskey };
  };

  it('keeps its last passkey, unless the provider of the server is connected', {
    tags: ['accounts.passkeys.7'],
  }, async () => {
    const { cleo, userId, confirm, addPasskey, removePasskey } = await register();
    const [first, second, third] = [await addPasskey(), await addPasskey(), await addPasskey()];
    expect((await removePasskey(first.id)).status).toBe(204);
    const kept = await confirm();
    const connections = openId.app.db.read.selectFrom('oidcConnections').select('issuer').where('userId', '=', userId);
    const { issuer } = await connections.executeTakeFirstOrThrow();
    const connectAt = (at: string) =>
      openId.app.db.write((tx) =>
        tx.updateTable('oidcConnections').set({ issuer: at }).where('userId', '=', userId).execute(),
      );
    // The operator has changed the provider: the connection opens nothing now.
    await connectAt('https://earlier.example/');
    expect((await removePasskey(second.id)).status).toBe(204);
    const refused = await removePasskey(third.id);
    expect([refused.status, refused.problem.detail]).toEqual([
      409,
      'This is your only way to sign in. Set a password first.',
    ]);
    expect((await removePasskey(first.id)).status).toBe(404);
    expect((await cleo.call('GET /api/auth/passkeys')).body.map(({ id }) => id)).toEqual([third.id]);
    await connectAt(issuer);
    expect((await removePasskey(third.id)).status).toBe(204);

    const fourth = await addPasskey();
    expect((await cleo.call('DELETE /api/auth/oidc', { body: kept })).status).toBe(204);
    expect((await removePasskey(fourth.id)).status).toBe(409);
  });

  it('keeps its last passkey or its provider, if both are removed at once', {
    tags: ['accounts.passkeys.7', 'openid.connecting.3'],
  }, async () => {
    const { cleo, confirm, addPasskey, removePasskey } = await register();
    const [passkey, body] = [await addPasskey(), await confirm()];
    const answers = await Promise.all([cleo.call('DELETE /api/auth/oidc', { body }), removePasskey(passkey.id)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 409]));
  });

  it('loses its last passkey once a password is set', { tags: ['accounts.passkeys.7'] }, async () => {
    const { cleo, confirm, addPasskey, removePasskey } = await register();
    const [passkey, set, removal] = [await addPasskey(), await confirm(), await confirm()];
    expect((await cleo.call('DELETE /api/auth/oidc', { body: removal })).status).toBe(204);
    expect((await removePasskey(passkey.id)).status).toBe(409);
    const body = { newPassword: 'a first quiet evening', ...set };
    expect((await cleo.call('PUT /api/auth/password', { body })).status).toBe(204);
    expect((await removePasskey(passkey.id)).status).toBe(204);
  });
});
