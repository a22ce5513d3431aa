import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Engine, engineOfJourneys } from './engines.ts';
import type { Partner } from './partner.ts';
import { registerCouple } from './register-couple.ts';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.ts';
import { type Chromium, type ChromiumOptions, openAs, useChromium, type WindowOptions } from './use-chromium.ts';

export interface UseAppOptions extends Omit<TestAppOptions, 'web'>, ChromiumOptions {
  /** `engineOfJourneys` by default. */
  readonly engine?: Engine;
}

/** What the journeys of a `describe` share. Use it in tests and in hooks that follow the call. */
export interface AppInChromium {
  readonly app: TestApp;
  readonly chromium: Chromium;
  /** Opens a window in which nobody is signed in. */
  openSignedOut(options?: WindowOptions): Promise<Page>;
  /** Opens a window in which a user is signed in. */
  openAs(who: Partner, options?: WindowOptions): Promise<Page>;
}

export interface CoupleInChromium extends AppInChromium {
  readonly ada: Partner;
  readonly ben: Partner;
  /** Opens a window in which Ada is signed in. */
  open(options?: WindowOptions): Promise<Page>;
}

/** Starts Chromium and a server with the page for the journeys of a `describe`. Call it once there. */
export function useApp({ engine = engineOfJourneys, args, launch, ...options }: UseAppOptions = {}): AppInChromium {
  const chromium = useChromium({ ...(args && { args }), ...(launch && { launch }) });
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(engine, { ...options, web: true });
  });
  afterAll(() => app.close());
  return {
    get app() {
      return app;
    },
    chromium,
    openSignedOut: (windowOptions) => chromium.open(app.url, windowOptions),
    openAs: (who, windowOptions) => openAs(chromium, who, windowOptions),
  };
}

/** Does what `useApp` does, and registers a couple, by default in UTC. */
export function useCouple({
  timeZone,
  ...options
}: UseAppOptions & { readonly timeZone?: string } = {}): CoupleInChromium {
  const here = useApp(options);
  let couple: Awaited<ReturnType<typeof registerCouple>>;
  beforeAll(async () => {
    couple = await registerCouple(here.app, timeZone);
  });
  return {
    get app() {
      return here.app;
    },
    get ada() {
      return couple.ada;
    },
    get ben() {
      return couple.ben;
    },
    chromium: here.chromium,
    openSignedOut: here.openSignedOut,
    openAs: here.openAs,
    open: (windowOptions) => here.openAs(couple.ada, windowOptions),
  };
}
