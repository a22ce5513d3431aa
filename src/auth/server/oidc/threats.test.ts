import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makePasskey } from '../../../../tests/support/authenticator.ts';
import {
  Caller,
  makeAgreedRecovery,
  PASSWORD,
  type Partner,
  registerCouple,
} from '../../../../tests/support/client.ts';
import { describeOnSqlite } from '../../../../tests/support/engines.ts';
import { type OpenIdApp, startOpenIdApp } from '../../../../tests/support/openid-app.ts';
import type { OpenIdBrowser } from '../../../../tests/support/openid-browser.ts';
import { type OpenIdProvider, startOpenIdProvider, type Tamper } from '../../../../tests/support/openid-provider.ts';

const MINUTE = 60_000;

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

describeOnSqlite('threats to an OpenID sign-in', (engine) => {
  let here: OpenIdApp;
  let ahead = 0;
  let ada: Partner;
  let ben: Partner;
  let people = 0;
  let login = '';
  const now = () => Date.now() + ahead;
  beforeAll(async () => {
    here = await startOpenIdApp(engine, { now });
  });
  beforeEach(async () => {
    ahead += 20 * MINUTE;
    ({ ada, ben } = await registerCouple(here.app));
    people += 1;
    login = `person${people}`;
  });
  afterAll(() => here.close());

  const start = async (browser: OpenIdBrowser, body: object, who: Partner | null = null) =>
    (await browser.call('POST /api/auth/oidc/start', { body } as never, who?.token ?? null)).body.url;
  const go = async (browser: OpenIdBrowser, body: object, as: string, who: Partner | null = null) =>
    browser.land(await browser.visit(await start(browser, body, who), as));
  const connect = (who: Partner, as = login) =>
    go(here.browser(), { intent: 'connect', currentPassword: PASSWORD }, as, who);
  const isSignedIn = async (browser: OpenIdBrowser) => (await browser.call('POST /api/auth/renew', {})).status === 200;

  it('the state of another browser', { tags: ['openid.visits.1'] }, async () => {
    await connect(ada);
    const [own, other] = [here.browser(), here.browser()];
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
    await connect(ben);
    const [attacker, victim] = [here.browser(), here.browser()];
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
    const attacker = here.browser();
    const back = await attacker.visit(
      await start(attacker, { intent: 'connect', currentPassword: PASSWORD }, ben),
      login,
    );
    const victim = here.browser();
    await start(victim, { intent: 'confirm' }, ada);
    expect((await victim.land(back)).location).toBe('/auth/oidc?problem=expired');
    expect((await ada.call('GET /api/auth/session')).body.user.signIn.oidc).toBe(false);
  });

  it('a code used twice', { tags: ['openid.visits.1'] }, async () => {
    await connect(ada);
    const browser = here.browser();
    const back = await browser.visit(await start(browser, { intent: 'sign-in' }), login);
    expect((await browser.land(back)).location).toContain('returnUrl');
    expect(await browser.land(back)).toEqual({ location: '/auth/oidc?problem=expired', setCookies: [] });
    // With a new state the provider refuses the code, and so does PKCE.
    const again = new URL(back);
    const started = new URL(await start(browser, { intent: 'sign-in' }));
    again.searchParams.set('state', started.searchParams.get('state') ?? '');
    expect((await browser.land(again.href)).location).toBe('/auth/oidc?problem=invalid');
    const both = here.browser();
    const raced = await both.visit(await start(both, { intent: 'sign-in' }), login);
    const landings = await Promise.all([both.land(raced), both.land(raced)]);
    expect(landings.filter(({ location }) => location.includes('returnUrl'))).toHaveLength(1);
  });

  it.for(tampered)('%s', { tags: ['openid.visits.3'] }, async ([, change]) => {
    await connect(ada);
    const browser = here.browser();
    here.provider.tamper = change;
    const landing = await go(browser, { intent: 'sign-in' }, login).finally(() => {
      here.provider.tamper = null;
    });
    expect(landing).toEqual({ location: '/auth/oidc?problem=invalid', setCookies: [] });
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('a clock that differs by less than a minute is none', { tags: ['openid.visits.3'] }, async () => {
    await connect(ada);
    here.provider.tamper = ({ header, claims }) => ({
      header,
      claims: { ...claims, exp: Math.floor(Date.now() / 1000) - 20 },
    });
    const landing = await go(here.browser(), { intent: 'sign-in' }, login).finally(() => {
      here.provider.tamper = null;
    });
    expect(landing.location).toContain('returnUrl');
  });

  it('a confirmation with a sign-in of long ago', { tags: ['openid.confirming.2'] }, async () => {
    await connect(ada);
    const hour = Math.floor(Date.now() / 1000) - 3600;
    for (const auth_time of [hour, undefined]) {
      here.provider.tamper = ({ header, claims }) => ({ header, claims: { ...claims, auth_time } });
      const landing = await go(here.browser(), { intent: 'confirm' }, login, ada).finally(() => {
        here.provider.tamper = null;
      });
      expect(landing.location).toBe('/auth/oidc?problem=invalid');
    }
  });

  it('mix-up: the answer of another provider to a visit to this one', { tags: ['openid.visits.3'] }, async () => {
    await connect(ada);
    const other: OpenIdProvider = await startOpenIdProvider(here.app.url);
    try {
      const browser = here.browser();
      const url = new URL(await start(browser, { intent: 'sign-in' }));
      const honest = await browser.visit(url.href, login);
      // The same visit, sent to the other provider.
      const moved = new URL(url.pathname + url.search, other.issuer);
      const mixed = await browser.visit(moved.href, login);
      expect(new URL(mixed).searchParams.get('iss')).toBe(other.issuer);
      const asked = here.provider.asked.length;
      expect((await browser.land(mixed)).location).toBe('/auth/oidc?problem=invalid');
      // Nothing of the other's answer was sent to this one. The visit is over.
      expect(here.provider.asked.slice(asked)).toEqual([]);
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
    here.provider.people.set(login, { name: 'Ada', email: ada.email });
    const browser = here.browser();
    expect((await go(browser, { intent: 'sign-in' }, login)).location).toBe('/auth/oidc?problem=unknown');
    expect(await isSignedIn(browser)).toBe(false);
    await go(browser, { intent: 'register' }, login);
    const person = { displayName: 'Ada', email: ada.email };
    const refused = await browser.call('POST /api/auth/oidc/finish', { body: person });
    expect([refused.status, refused.problem.errors[0]?.field]).toEqual([409, 'email']);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await ada.call('GET /api/auth/session')).body.user.signIn.oidc).toBe(false);
  });

  it('open redirects', { tags: ['openid.signin.3'] }, async () => {
    await connect(ada);
    for (const returnUrl of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/.//evil.example',
      'javascript:alert(1)',
    ]) {
      const { location } = await go(here.browser(), { intent: 'sign-in', returnUrl }, login);
      expect(location).toBe('/auth/oidc?returnUrl=%2Fdashboard');
      const proof = await go(here.browser(), { intent: 'confirm', returnUrl }, login, ada);
      expect(proof.location).toMatch(/^\/settings#oidcProof=/);
    }
    const path = '/settings\r\nset-cookie: a=b';
    expect((await go(here.browser(), { intent: 'confirm', returnUrl: path }, login, ada)).location).not.toMatch(/\s/);
  });

  it('a recovery that leaves an attacker’s provider or passkey in place', {
    tags: ['openid.connecting.4'],
  }, async () => {
    await connect(ada);
    const { device } = await makePasskey(ada);
    const away = here.browser();
    const back = await away.visit(
      await start(away, { intent: 'connect', currentPassword: PASSWORD }, ada),
      `${login}-too`,
    );
    const confirming = here.browser();
    const { location } = await go(confirming, { intent: 'confirm' }, login, ada);
    const code = await makeAgreedRecovery(ben, ada);
    const body = { newPassword: 'another quiet evening' };
    const nobody = new Caller(here.app.url);
    expect((await nobody.call('POST /api/auth/recovery/{code}', { params: { code }, body })).status).toBe(204);
    expect((await go(here.browser(), { intent: 'sign-in' }, login)).location).toBe('/auth/oidc?problem=unknown');
    const { body: options } = await nobody.call('POST /api/auth/passkeys/sign-in/options');
    expect((await nobody.call('POST /api/auth/passkeys/sign-in', { body: device.get(options) })).status).toBe(401);
    // What was under way before counts no more.
    expect((await away.land(back)).location).toBe('/auth/oidc?problem=ended');
    const oidcProof = location.split('=').at(-1) ?? '';
    expect((await ada.call('POST /api/auth/passkeys/options', { body: { oidcProof } })).status).toBe(401);
  });

  it('a database that is read', { tags: ['openid.visits.6'] }, async () => {
    const browser = here.browser();
    const url = new URL(await start(browser, { intent: 'register' }));
    const rows = JSON.stringify(await here.app.db.read.selectFrom('oidcStarts').selectAll().execute());
    const [, cookie = ''] = (browser.cookies(here.app.url).cookie ?? '').split('=');
    expect(cookie).toHaveLength(43);
    for (const secret of [cookie, url.searchParams.get('state'), url.searchParams.get('nonce')]) {
      expect(rows).not.toContain(secret);
    }
  });
});
