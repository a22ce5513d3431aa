import { expect, it } from 'vitest';
import { makeAgreedRecovery } from '../../../../tests/support/agreed-recovery.ts';
import { makePasskey } from '../../../../tests/support/authenticator.ts';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { PASSWORD } from '../../../../tests/support/register-couple.ts';
import { useOpenIdApp } from '../../../../tests/support/use-openid-app.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { suspendCouple } from '../operator/suspension-store.ts';

describeOnBoth('an OpenID provider', (engine) => {
  const openId = useOpenIdApp(engine);
  const waysToSignIn = async (who: Caller) => (await who.call('GET /api/auth/session')).body.user.signIn;

  it('is named by the status', { tags: ['openid.signin.1'] }, async () => {
    expect((await new Caller(openId.app.url).call('GET /api/auth/status')).body.oidc).toEqual({ name: 'Our House' });
  });

  it('is connected in the settings after the password, and then signs in that account', {
    tags: ['openid.signin.2', 'openid.signin.3', 'openid.connecting.1'],
  }, async () => {
    const login = openId.newLogin();
    expect(await waysToSignIn(openId.ada)).toEqual({ password: true, passkeys: 0, oidc: false });
    await openId.connect(openId.ada, login);
    expect(await waysToSignIn(openId.ada)).toEqual({ password: true, passkeys: 0, oidc: true });
    const browser = openId.browser();
    const landing = await openId.signIn(browser, login, '/stats?x=1');
    expect(landing.location).toBe('/auth/oidc?returnUrl=%2Fstats%3Fx%3D1');
    expect(landing.setCookies.join()).toContain('SameSite=Strict');
    const { body: signedIn } = await browser.renew();
    expect(signedIn.user).toMatchObject({ id: openId.ada.user.id, email: openId.ada.email, signIn: { oidc: true } });
    expect((await new Caller(openId.app.url, signedIn.token).call('GET /api/auth/sessions')).status).toBe(200);
  });

  it('needs a confirmation to be connected: the password or a passkey', { tags: ['openid.connecting.1'] }, async () => {
    for (const [body, field] of [
      [{}, 'currentPassword'],
      [{ currentPassword: 'not at all the password' }, 'currentPassword'],
      [{ oidcProof: 'a'.repeat(43) }, 'oidcProof'],
    ] as const) {
      const { status, problem } = await openId.browser().start({ intent: 'connect', ...body }, openId.ada);
      expect([status, problem.errors[0]?.field]).toEqual([400, field]);
    }
    const { device } = await makePasskey(openId.ada);
    const { body: options } = await new Caller(openId.app.url).call('POST /api/auth/passkeys/sign-in/options');
    const landing = await openId
      .browser()
      .roundTrip({ intent: 'connect', passkey: device.get(options) }, openId.newLogin(), openId.ada);
    expect(landing.location).toContain('connected=true');
  });

  it('tells an unknown identity so, and creates nothing', { tags: ['openid.signin.2'] }, async () => {
    const browser = openId.browser();
    const landing = await openId.signIn(browser, openId.newLogin());
    expect(landing).toEqual({ location: '/auth/oidc?problem=unknown', setCookies: [] });
    expect((await browser.renew()).status).toBe(401);
  });

  it('leaves an identity with the account to which it is connected', { tags: ['openid.connecting.1'] }, async () => {
    const login = openId.newLogin();
    await openId.connect(openId.ada, login);
    const taken = await openId.browser().roundTrip({ intent: 'connect', currentPassword: PASSWORD }, login, openId.ben);
    expect(taken.location).toBe('/auth/oidc?problem=elsewhere');
    expect((await waysToSignIn(openId.ben)).oidc).toBe(false);
    const browser = openId.browser();
    await openId.signIn(browser, login);
    expect((await browser.renew()).body.user.id).toBe(openId.ada.user.id);
    // Again, and another one: the account has one.
    await openId.connect(openId.ada, login);
    const second = openId.newLogin();
    await openId.connect(openId.ada, second);
    expect((await openId.signIn(openId.browser(), login)).location).toBe('/auth/oidc?problem=unknown');
    expect((await openId.signIn(openId.browser(), second)).location).toContain('returnUrl');
  });

  it('connects nothing after the session has ended, or the space has been deleted', {
    tags: ['openid.connecting.2'],
  }, async () => {
    const browser = openId.browser();
    const { body } = await browser.start({ intent: 'connect', currentPassword: PASSWORD }, openId.ada);
    const back = await browser.visit(body.url, openId.newLogin());
    await openId.ada.call('POST /api/auth/logout');
    expect((await browser.land(back)).location).toBe('/auth/oidc?problem=ended');
    const other = openId.browser();
    const begun = await other.start({ intent: 'connect', currentPassword: PASSWORD }, openId.ben);
    const login = openId.newLogin();
    const bens = await other.visit(begun.body.url, login);
    await openId.app.db.write((tx) =>
      tx
        .deleteFrom('couples')
        .where('id', '=', openId.ben.user.couple.id as CoupleId)
        .execute(),
    );
    expect((await other.land(bens)).location).toBe('/auth/oidc?problem=ended');
    expect((await openId.signIn(openId.browser(), login)).location).toBe('/auth/oidc?problem=unknown');
  });

  it('says that a space is suspended to its member alone', { tags: ['openid.visits.5'] }, async () => {
    const login = openId.newLogin();
    await openId.connect(openId.ada, login);
    await openId.app.db.write((tx) => suspendCouple(tx, openId.ada.user.couple.id as CoupleId, openId.now()));
    expect(await openId.signIn(openId.browser(), login)).toEqual({
      location: '/auth/oidc?problem=suspended',
      setCookies: [],
    });
    expect((await openId.signIn(openId.browser(), openId.newLogin())).location).toBe('/auth/oidc?problem=unknown');
  });

  it('is disconnected by a recovery, also one that keeps the passkeys', { tags: ['openid.connecting.4'] }, async () => {
    const login = openId.newLogin();
    await openId.connect(openId.ada, login);
    const code = await makeAgreedRecovery(openId.ben, openId.ada);
    const body = { newPassword: 'another quiet evening', keepPasskeys: true };
    await new Caller(openId.app.url).call('POST /api/auth/recovery/{code}', { params: { code }, body });
    expect((await openId.signIn(openId.browser(), login)).location).toBe('/auth/oidc?problem=unknown');
  });

  it('is disconnected when the account is deleted', { tags: ['openid.connecting.4'] }, async () => {
    await openId.connect(openId.ben, openId.newLogin());
    expect((await openId.ben.call('POST /api/auth/leave', { body: { currentPassword: PASSWORD } })).status).toBe(204);
    expect(
      await openId.app.db.read
        .selectFrom('oidcConnections')
        .selectAll()
        .where('userId', '=', openId.ben.user.id as UserId)
        .execute(),
    ).toEqual([]);
  });
});
