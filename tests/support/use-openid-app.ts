import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Engine } from './engines.ts';
import { type OpenIdApp, startOpenIdApp } from './openid-app.ts';
import type { Landing, OpenIdBrowser } from './openid-browser.ts';
import type { Partner } from './partner.ts';
import { PASSWORD, registerCouple } from './register-couple.ts';

/** What the tests of a `describe` share. Use it in tests and in hooks that follow the call. */
export interface SharedOpenIdApp extends Pick<OpenIdApp, 'app' | 'provider' | 'browser'> {
  /** The partners of a couple that is new in each test. */
  readonly ada: Partner;
  readonly ben: Partner;
  /** The server's clock, in milliseconds. */
  now(): number;
  advance(ms: number): void;
  /** A name at the provider that nobody has used. */
  newLogin(): string;
  /** Connects a user with a name at the provider. */
  connect(who: Partner, login: string): Promise<void>;
  signIn(browser: OpenIdBrowser, login: string, returnUrl?: string): Promise<Landing>;
  /** Registers at the provider, and sends the form. */
  register(login: string, form?: object): Promise<{ browser: OpenIdBrowser; finished: Finished }>;
}

type Finished = Awaited<ReturnType<typeof finish>>;

function finish(browser: OpenIdBrowser, form: { readonly displayName: string; readonly email: string }) {
  return browser.call('POST /api/auth/oidc/finish', { body: form });
}

/**
 * Starts a server and its provider for the tests of a `describe`. Call it once there. The server's clock is twenty minutes
 * further in each test, so that the limits of the one before don't count.
 */
export function useOpenIdApp(engine: Engine): SharedOpenIdApp {
  let openId: OpenIdApp;
  let couple: Awaited<ReturnType<typeof registerCouple>>;
  let ahead = 0;
  let people = 0;
  const now = () => Date.now() + ahead;
  beforeAll(async () => {
    openId = await startOpenIdApp(engine, { now });
  });
  beforeEach(async () => {
    ahead += 20 * 60_000;
    couple = await registerCouple(openId.app);
  });
  afterAll(() => openId.close());
  return {
    get app() {
      return openId.app;
    },
    get provider() {
      return openId.provider;
    },
    get ada() {
      return couple.ada;
    },
    get ben() {
      return couple.ben;
    },
    browser: () => openId.browser(),
    now,
    advance: (ms) => {
      ahead += ms;
    },
    newLogin: () => `person${(people += 1)}`,
    connect: async (who, login) => {
      const body = { intent: 'connect', currentPassword: PASSWORD };
      const landing = await openId.browser().roundTrip(body, login, who);
      expect(landing.location).toBe('/auth/oidc?connected=true&returnUrl=%2Fsettings');
    },
    signIn: (browser, login, returnUrl) => browser.roundTrip({ intent: 'sign-in', returnUrl }, login),
    register: async (login, form = {}) => {
      const browser = openId.browser();
      expect((await browser.roundTrip({ intent: 'register' }, login)).location).toBe('/auth/oidc');
      const finished = await finish(browser, { displayName: 'Cleo', email: `${login}@example.org`, ...form });
      return { browser, finished };
    },
  };
}
