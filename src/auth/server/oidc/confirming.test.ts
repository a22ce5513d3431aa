import { expect, it } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { useOpenIdApp } from '../../../../tests/support/use-openid-app.ts';

describeOnBoth('a confirmation by an OpenID provider', (engine) => {
  const openId = useOpenIdApp(engine);

  const proofOf = async (who: Caller, login: string) => {
    const body = { intent: 'confirm', returnUrl: '/settings?a=b#c' };
    const { location } = await openId.browser().roundTrip(body, login, who);
    expect(location).toMatch(/^\/settings\?a=b#oidcProof=[\w-]{43}$/);
    return location.split('=').at(-1) ?? '';
  };
  const addPasskey = (who: Caller, oidcProof: string) =>
    who.call('POST /api/auth/passkeys/options', { body: { oidcProof } });

  it('counts once, for its user', { tags: ['openid.confirming.1', 'openid.confirming.2'] }, async () => {
    const { ada, ben } = openId;
    const login = openId.newLogin();
    await openId.connect(ada, login);
    const proof = await proofOf(ada, login);
    expect((await addPasskey(ben, proof)).problem.errors[0]?.field).toBe('oidcProof');
    expect((await addPasskey(ada, proof)).status).toBe(200);
    expect((await addPasskey(ada, proof)).status).toBe(400);
  });

  it('counts for five minutes', { tags: ['openid.confirming.2'] }, async () => {
    const { ada } = openId;
    const login = openId.newLogin();
    await openId.connect(ada, login);
    const proof = await proofOf(ada, login);
    openId.advance(5 * 60_000);
    expect((await addPasskey(ada, proof)).status).toBe(400);
  });

  it('counts in the session that asked for it', { tags: ['openid.confirming.2'] }, async () => {
    const { ada } = openId;
    const login = openId.newLogin();
    await openId.connect(ada, login);
    const browser = openId.browser();
    await openId.signIn(browser, login);
    const otherSession = new Caller(openId.app.url, (await browser.renew()).body.token);
    expect((await addPasskey(otherSession, await proofOf(ada, login))).status).toBe(400);
  });

  it('is made by the connected identity alone', { tags: ['openid.confirming.1'] }, async () => {
    const { ada } = openId;
    expect((await openId.browser().start({ intent: 'confirm' }, ada)).status).toBe(409);
    await openId.connect(ada, openId.newLogin());
    const stranger = await openId.browser().roundTrip({ intent: 'confirm' }, openId.newLogin(), ada);
    expect(stranger.location).toBe('/auth/oidc?problem=other');
  });

  it('lets an account without a password set one', {
    tags: ['openid.confirming.1', 'openid.confirming.3'],
  }, async () => {
    const login = openId.newLogin();
    const { token, user } = (await openId.register(login)).finished.body;
    const cleo = new Caller(openId.app.url, token);
    const newPassword = 'a first quiet evening';
    const setPassword = (more: object) => cleo.call('PUT /api/auth/password', { body: { newPassword, ...more } });
    expect((await setPassword({})).status).toBe(400);
    expect((await setPassword({ currentPassword: '' })).status).toBe(400);
    expect((await setPassword({ oidcProof: await proofOf(cleo, login) })).status).toBe(204);
    const { signIn } = (await cleo.call('GET /api/auth/session')).body.user;
    expect(signIn).toEqual({ password: true, passkeys: 0, oidc: true });
    const body = { email: user.email, password: newPassword };
    expect((await new Caller(openId.app.url).call('POST /api/auth/login', { body })).status).toBe(200);
  });

  it('or the password lets a user disconnect, who has another way to sign in', {
    tags: ['openid.confirming.1', 'openid.connecting.3'],
  }, async () => {
    const login = openId.newLogin();
    const cleo = new Caller(openId.app.url, (await openId.register(login)).finished.body.token);
    const disconnect = (body: object) => cleo.call('DELETE /api/auth/oidc', { body });
    expect((await disconnect({ oidcProof: await proofOf(cleo, login) })).status).toBe(409);
    const newPassword = 'a first quiet evening';
    const body = { newPassword, oidcProof: await proofOf(cleo, login) };
    expect((await cleo.call('PUT /api/auth/password', { body })).status).toBe(204);
    expect((await disconnect({ currentPassword: 'wrong' })).status).toBe(400);
    expect((await disconnect({ currentPassword: newPassword })).status).toBe(204);
    expect((await disconnect({ currentPassword: newPassword })).status).toBe(404);
    expect((await openId.signIn(openId.browser(), login)).location).toBe('/auth/oidc?problem=unknown');
  });
});
