import { beforeEach, expect, it } from 'vitest';
import { makeAgreedRecovery } from '../../../../tests/support/agreed-recovery.ts';
import { makePasskey } from '../../../../tests/support/authenticator.ts';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnSqlite } from '../../../../tests/support/engines.ts';
import type { OpenIdBrowser } from '../../../../tests/support/openid-browser.ts';
import { type OpenIdProvider, startOpenIdProvider, type Tamper } from '../../../../tests/support/openid-provider.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { PASSWORD } from '../../../../tests/support/register-couple.ts';
import { useOpenIdApp } from '../../../../tests/support/use-openid-app.ts';

/** What a token that says the truth is made of. A test changes one thing of it. */
const tampered: readonly (readonly [what: string, change: Tamper])[] = [
  ['a wrong issuer', ({ header, claims }) => ({ header, claims: { ...claims, iss: 'http://localhost:1' } })],
  ['a wrong audience', ({ header, claims }) => ({ header, claims: { ...claims, aud: 'another-app' } })],
  [
    'several audiences, of which another is authorized',
    ({ header, claims }) => ({ header, claims: { ...claims, aud: [claims.aud, 'another-app'], azp: 'another-app' } }),
  ],
  ['a wrong key', ({ header, claims }) => ({ header, claims, signedWith: 'other' })],
  ['an unknown key', ({ header, claims }) => ({ header: { ...header, kid: 'another' }, claims, signedWith: 'other' })],
  [
    'the algorithm none',
    ({ header, claims }) => ({ header: { ...header, alg: 'none' }, claims, signedWith: 'nothing' }),
  ],
  [
    'an algorithm whose key is the client’s secret',
    ({ header, claims }) => ({ header: { ...header, alg: 'HS256' }, claims, signedWith: 'secret' }),
  ],
  ['the nonce of another visit', ({ header, claims }) => ({ header, claims: { ...claims, nonce: 'a'.repeat(43) } })],
  ['no nonce', ({ header, claims }) => ({ header, claims: { ...claims, nonce: undefined } })],
  [
    'an end more than a minute ago',
    ({ header, claims }) => ({ header, claims: { ...claims, exp: Math.floor(Date.now() / 1000) - 90 } }),
  ],
  ['no subject', ({ header, claims }) => ({ header, claims: { ...claims, sub: undefined } })],
];

describeOnSqlite('an OpenID sign-in withstands', (engine) => {
  const openId = useOpenIdApp(engine);
  let login = '';
  beforeEach(() => {
    login = openId.newLogin();
  });
  const start = async (browser: OpenIdBrowser, body: object, who: Partner | null = null) =>
    (await browser.start(body, who)).body.url;
  const connect = (who: Partner) => openId.connect(who, login);
  const isSignedIn = async (browser: OpenIdBrowser) => (await browser.renew()).status === 200;

  it('the state of another browser', { tags: ['openid.visits.1'] }, async () => {
    await connect(openId.ada);
    const [own, other] = [openId.browser(), openId.browser()];
    const back = await own.visit(await start(own, { intent: 'sign-in' }), login);
    await start(other, { intent: 'sign-in' });
    expect((await other.land(back)).location).toBe('/auth/oidc?problem=expired');
    expect(await isSignedIn(other)).toBe(false);
    // It still counts where it began.
    expect((await own.land(back)).location).toContain('returnUrl');
  });

  it('login CSRF: the answer for the attacker’s own account, brought to the victim’s browser', {
    tags: ['openid.visits.1'],
  }, async () => {
    await connect(openId.ben);
    const [attacker, victim] = [openId.browser(), openId.browser()];
    const back = await attacker.visit(await start(attacker, { intent: 'sign-in' }), login);
    expect(await victim.land(back)).toEqual({ location: '/auth/oidc?problem=expired', setCookies: [] });
    // Nor with a state of the victim's own.
    const url = new URL(back);
    const started = new URL(await start(victim, { intent: 'sign-in' }));
    url.searchParams.set('state', started.searchParams.get('state') ?? '');
    expect((await victim.land(url.href)).location).toBe('/auth/oidc?problem=invalid');
    expect(await isSignedIn(victim)).toBe(false);
  });

  it('a forged connection: the attacker’s identity, brought to the victim’s signed-in browser', {
    tags: ['openid.visits.1'],
  }, async () => {
    const attacker = openId.browser();
    const back = await attacker.visit(
      await start(attacker, { intent: 'connect', currentPassword: PASSWORD }, openId.ben),
      login,
    );
    const victim = openId.browser();
    await start(victim, { intent: 'confirm' }, openId.ada);
    expect((await victim.land(back)).location).toBe('/auth/oidc?problem=expired');
    expect((await openId.ada.call('GET /api/auth/session')).body.user.signIn.oidc).toBe(false);
  });

  it('a code used twice', { tags: ['openid.visits.1'] }, async () => {
    await connect(openId.ada);
    const browser = openId.browser();
    const back = await browser.visit(await start(browser, { intent: 'sign-in' }), login);
    expect((await browser.land(back)).location).toContain('returnUrl');
    expect(await browser.land(back)).toEqual({ location: '/auth/oidc?problem=expired', setCookies: [] });
    // With a new state the provider refuses the code, and so does PKCE.
    const again = new URL(back);
    const started = new URL(await start(browser, { intent: 'sign-in' }));
    again.searchParams.set('state', started.searchParams.get('state') ?? '');
    expect((await browser.land(again.href)).location).toBe('/auth/oidc?problem=invalid');
    const both = openId.browser();
    const raced = await both.visit(await start(both, { intent: 'sign-in' }), login);
    const landings = await Promise.all([both.land(raced), both.land(raced)]);
    expect(landings.filter(({ location }) => location.includes('returnUrl'))).toHaveLength(1);
  });

  it.for(tampered)('%s', { tags: ['openid.visits.3'] }, async ([, change]) => {
    await connect(openId.ada);
    const browser = openId.browser();
    openId.provider.tamper = change;
    const landing = await browser.roundTrip({ intent: 'sign-in' }, login).finally(() => {
      openId.provider.tamper = null;
    });
    expect(landing).toEqual({ location: '/auth/oidc?problem=invalid', setCookies: [] });
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('a clock that differs by less than a minute', { tags: ['openid.visits.3'] }, async () => {
    await connect(openId.ada);
    openId.provider.tamper = ({ header, claims }) => ({
      header,
      claims: { ...claims, exp: Math.floor(Date.now() / 1000) - 20 },
    });
    const landing = await openId
      .browser()
      .roundTrip({ intent: 'sign-in' }, login)
      .finally(() => {
        openId.provider.tamper = null;
      });
    expect(landing.location).toContain('returnUrl');
  });

  it('a confirmation with a sign-in of long ago', { tags: ['openid.confirming.2'] }, async () => {
    await connect(openId.ada);
    const hour = Math.floor(Date.now() / 1000) - 3600;
    for (const auth_time of [hour, undefined]) {
      openId.provider.tamper = ({ header, claims }) => ({ header, claims: { ...claims, auth_time } });
      const landing = await openId
        .browser()
        .roundTrip({ intent: 'confirm' }, login, openId.ada)
        .finally(() => {
          openId.provider.tamper = null;
        });
      expect(landing.location).toBe('/auth/oidc?problem=invalid');
    }
  });

  it('mix-up: the answer of another provider to a visit to this one', { tags: ['openid.visits.3'] }, async () => {
    await connect(openId.ada);
    const other: OpenIdProvider = await startOpenIdProvider(openId.app.url);
    try {
      const browser = openId.browser();
      const url = new URL(await start(browser, { intent: 'sign-in' }));
      const honest = await browser.visit(url.href, login);
      // The same visit, sent to the other provider.
      const moved = new URL(url.pathname + url.search, other.issuer);
      const mixed = await browser.visit(moved.href, login);
      expect(new URL(mixed).searchParams.get('iss')).toBe(other.issuer);
      const asked = openId.provider.asked.length;
      expect((await browser.land(mixed)).location).toBe('/auth/oidc?problem=invalid');
      // Nothing of the other's answer was sent to this one. The visit is over.
      expect(openId.provider.asked.slice(asked)).toEqual([]);
      expect((await browser.land(honest)).location).toBe('/auth/oidc?problem=expired');
      const nameless = new URL(await browser.visit(await start(browser, { intent: 'sign-in' }), login));
      nameless.searchParams.delete('iss');
      expect((await browser.land(nameless.href)).location).toBe('/auth/oidc?problem=invalid');
      expect(await isSignedIn(browser)).toBe(false);
    } finally {
      await other.stop();
    }
  });

  it('an e-mail equal to another account’s', { tags: ['openid.signin.2', 'openid.registering.3'] }, async () => {
    openId.provider.people.set(login, { name: 'Ada', email: openId.ada.email });
    const browser = openId.browser();
    expect((await browser.roundTrip({ intent: 'sign-in' }, login)).location).toBe('/auth/oidc?problem=unknown');
    expect(await isSignedIn(browser)).toBe(false);
    await browser.roundTrip({ intent: 'register' }, login);
    const person = { displayName: 'Ada', email: openId.ada.email };
    const refused = await browser.call('POST /api/auth/oidc/finish', { body: person });
    expect([refused.status, refused.problem.errors[0]?.field]).toEqual([409, 'email']);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await openId.ada.call('GET /api/auth/session')).body.user.signIn.oidc).toBe(false);
  });

  it('open redirects', { tags: ['openid.signin.3'] }, async () => {
    await connect(openId.ada);
    for (const returnUrl of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/.//evil.example',
      'javascript:alert(1)',
    ]) {
      const { location } = await openId.browser().roundTrip({ intent: 'sign-in', returnUrl }, login);
      expect(location).toBe('/auth/oidc?returnUrl=%2Fdashboard');
      const proof = await openId.browser().roundTrip({ intent: 'confirm', returnUrl }, login, openId.ada);
      expect(proof.location).toMatch(/^\/settings#oidcProof=/);
    }
    const path = '/settings\r\nset-cookie: a=b';
    expect(
      (await openId.browser().roundTrip({ intent: 'confirm', returnUrl: path }, login, openId.ada)).location,
    ).not.toMatch(/\s/);
  });

  it('an attacker’s provider or passkey, which a recovery removes', {
    tags: ['openid.connecting.4'],
  }, async () => {
    await connect(openId.ada);
    const { device } = await makePasskey(openId.ada);
    const away = openId.browser();
    const back = await away.visit(
      await start(away, { intent: 'connect', currentPassword: PASSWORD }, openId.ada),
      `${login}-too`,
    );
    const confirming = openId.browser();
    const { location } = await confirming.roundTrip({ intent: 'confirm' }, login, openId.ada);
    const code = await makeAgreedRecovery(openId.ben, openId.ada);
    const body = { newPassword: 'another quiet evening' };
    const nobody = new Caller(openId.app.url);
    expect((await nobody.call('POST /api/auth/recovery/{code}', { params: { code }, body })).status).toBe(204);
    expect((await openId.browser().roundTrip({ intent: 'sign-in' }, login)).location).toBe(
      '/auth/oidc?problem=unknown',
    );
    const { body: options } = await nobody.call('POST /api/auth/passkeys/sign-in/options');
    expect((await nobody.call('POST /api/auth/passkeys/sign-in', { body: device.get(options) })).status).toBe(401);
    // What was under way before counts no more.
    expect((await away.land(back)).location).toBe('/auth/oidc?problem=ended');
    const oidcProof = location.split('=').at(-1) ?? '';
    expect((await openId.ada.call('POST /api/auth/passkeys/options', { body: { oidcProof } })).status).toBe(401);
  });

  it('a database that is read', { tags: ['openid.visits.6'] }, async () => {
    const browser = openId.browser();
    const url = new URL(await start(browser, { intent: 'register' }));
    const rows = JSON.stringify(await openId.app.db.read.selectFrom('oidcStarts').selectAll().execute());
    const [, cookie = ''] = (browser.cookies(openId.app.url).cookie ?? '').split('=');
    expect(cookie).toHaveLength(43);
    for (const secret of [cookie, url.searchParams.get('state'), url.searchParams.get('nonce')]) {
      expect(rows).not.toContain(secret);
    }
  });
});
