import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { engineOfJourneys } from '../engines.ts';
import type { Partner } from '../partner.ts';
import { registerCouple } from '../register-couple.ts';
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import type { BrowserEngine, RunningBrowser } from './browser-engine.ts';
import { type ProblemRecordingProxy, startProblemRecordingProxy } from './problem-recording-proxy.ts';
import { Tab } from './tab.ts';

/** Where failed journeys leave screenshots. */
const SCREENSHOTS = join(import.meta.dirname, '../../../.cache/screenshots');

/** What the journeys of a `describe` share: a browser, and a server behind a connection that can be cut. */
export interface AppInBrowser {
  readonly app: TestApp;
  /** Opens a tab of a new device, signed in if a partner is given. It is closed after the test. */
  open(who?: Partner): Promise<Tab>;
  /** Registers a couple in the browsers' time zone. */
  couple(): Promise<{ readonly ada: Partner; readonly ben: Partner }>;
  /** Cuts the connection of all tabs to the server, and tells one of them that it is offline; or undoes both. */
  setOffline(tab: Tab, isOffline: boolean): Promise<void>;
}

/** Starts a browser and a server with the page for the journeys of a `describe`. Call it once there. */
export function useBrowser(engine: BrowserEngine): AppInBrowser {
  let app: TestApp;
  let browser: RunningBrowser;
  let recording: ProblemRecordingProxy | undefined;
  let line: TcpProxy;
  let tabs: Tab[] = [];
  let isCut = false;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startTestApp(engineOfJourneys, { web: true }), engine.start()]);
    recording = engine.needsRecorderInPage ? await startProblemRecordingProxy(app.url) : undefined;
    line = await startTcpProxy(recording?.url ?? app.url);
  });
  afterEach(async ({ task }) => {
    const used = tabs;
    tabs = [];
    if (task.result?.state === 'fail')
      await Promise.all(used.map((tab, n) => keepScreenshot(tab, `${task.name} ${n}`)));
    const problems = (await Promise.all(used.map((tab) => tab.takeProblems().catch(String)))).flat();
    await Promise.all(used.map((tab) => tab.close()));
    if (isCut) await line.mend();
    isCut = false;
    expect(problems, 'errors on the page').toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await line?.close();
    await recording?.close();
    await app?.close();
  });
  return {
    get app() {
      return app;
    },
    open: async (who) => {
      const tab = new Tab(await browser.open(), engine, new URL(line.url).origin);
      tabs.push(tab);
      if (who) await tab.signIn(who.cookie);
      return tab;
    },
    couple: () => registerCouple(app, 'Europe/Rome'),
    setOffline: async (tab, isOffline) => {
      isCut = isOffline;
      await (isOffline ? line.cut() : line.mend());
      await tab.pretendOffline(isOffline);
    },
  };

  async function keepScreenshot(tab: Tab, test: string): Promise<void> {
    await mkdir(SCREENSHOTS, { recursive: true });
    const file = `${engine.name} ${test}.png`.replaceAll(/[^\w .,()-]/g, '_');
    // Fails if the browser has crashed.
    await tab.screenshot().then(
      (png) => writeFile(join(SCREENSHOTS, file), png),
      () => undefined,
    );
  }
}
