import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Response } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { addSessionCookie, launchHeadlessShell } from './chromium.ts';
import type { Partner } from './client.ts';

/** Where failed journeys leave screenshots. */
const SCREENSHOTS = join(import.meta.dirname, '../../.cache/screenshots');

export interface WindowOptions extends BrowserContextOptions {
  /** The name of the user, for error messages and screenshots. */
  readonly name?: string;
}

/** The sizes of a phone's and of a desktop's window. */
export const PHONE = { viewport: { width: 360, height: 780 } };
export const DESKTOP = { viewport: { width: 1280, height: 800 } };

/** Chromium for the journeys of a file. Each window has its own cookies and storage. */
export interface Chromium {
  /**
   * Opens a window with the server's URL as its base. It is closed after the test that opened it, or at the end of the
   * file if a hook opened it. Page errors and violations of the Content Security Policy fail the test.
   */
  open(url: string, options?: WindowOptions): Promise<Page>;
}

interface Window {
  readonly name: string;
  readonly context: BrowserContext;
  readonly page: Page;
  /** The test that opened it; undefined for a hook. */
  readonly owner: string | undefined;
  readonly problems: string[];
}

export interface ChromiumOptions {
  /** Chromium's arguments, such as `FAKE_CAMERA`. A function may use what earlier hooks have started. */
  readonly args?: readonly string[] | (() => readonly string[]);
  /** Starts a browser for this file alone. By default it shares a headless shell. Push messages need `launchChromium`. */
  readonly launch?: (args: readonly string[]) => Promise<Browser>;
}

/** The browsers of this process by their arguments. Starting one takes more processor time than most journeys. */
const shells = new Map<string, Promise<Browser>>();

/**
 * Returns a headless shell that all journeys of this process with the same arguments share. It ends with the process. If
 * it has crashed, another one is started.
 */
async function shareHeadlessShell(args: readonly string[]): Promise<Browser> {
  const key = args.join(' ');
  const known = await shells.get(key);
  if (known?.isConnected()) return known;
  const shell = launchHeadlessShell(args);
  shells.set(key, shell);
  return shell;
}

/** Opens Chromium for a file's journeys. Call it once at the top. */
export function useChromium({ args = [], launch }: ChromiumOptions = {}): Chromium {
  let browser: Browser | undefined;
  let windows: Window[] = [];
  beforeAll(async () => {
    browser = await (launch ?? shareHeadlessShell)(typeof args === 'function' ? args() : args);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await Promise.all(windows.map((window) => screenshot(window, task.name)));
    const problems = windows.flatMap((window) => window.problems.splice(0));
    const finished = windows.filter(({ owner }) => owner !== undefined);
    windows = windows.filter(({ owner }) => owner === undefined);
    await Promise.all(finished.map(({ context }) => context.close()));
    expect(problems, 'errors on the page').toEqual([]);
  });
  afterAll(async () => {
    if (launch) await browser?.close();
    else await Promise.all(windows.map(({ context }) => context.close()));
  });
  return {
    open: async (url, { name = `partner ${windows.length + 1}`, ...options } = {}) => {
      if (!browser) throw new Error('Open a window in a test or a hook.');
      const context = await browser.newContext({
        baseURL: url,
        locale: 'en-GB',
        timezoneId: 'Europe/Rome',
        // `page.route` doesn't see requests of a service worker. Journeys of the worker set 'allow'.
        serviceWorkers: 'block',
        ...options,
      });
      context.setDefaultTimeout(15_000);
      const page = await context.newPage();
      const problems: string[] = [];
      watch(page, name, problems);
      windows.push({ name, context, page, owner: expect.getState().currentTestName, problems });
      return page;
    },
  };
}

/** Opens a window in which a user is signed in. The floating hearts are off, because they slow a test down. */
export async function openAs(chromium: Chromium, who: Partner, options: WindowOptions = {}): Promise<Page> {
  const page = await chromium.open(who.url, { reducedMotion: 'reduce', ...options });
  await addSessionCookie(page.context(), who);
  return page;
}

/**
 * Opens a screen and waits until it is connected to the event stream. A change before that moment makes the page ask for
 * everything again, once it is connected.
 */
export async function gotoLive(page: Page, path: string): Promise<void> {
  const connected = nextPageResponse(page, (response) => response.url().endsWith('/api/events') && response.ok());
  await page.goto(path);
  await connected;
}

/** Waits for a response to the page that is opened next. The one that is left may get the same meanwhile. */
export function nextPageResponse(page: Page, matches: (response: Response) => boolean): Promise<Response> {
  let hasLeft = false;
  page.once('framenavigated', () => {
    hasLeft = true;
  });
  return page.waitForResponse((response) => hasLeft && matches(response));
}

/** The id of the element with the focus: empty for the body, which means that the focus is lost. */
export function focusedId(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.id);
}

/** Holds all requests of a page to this address until the returned function is called. */
export async function holdRequests(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.fallback();
  });
  return resolve;
}

/** Counts the requests of a page from now on whose address contains this text. Returns a function that tells the number. */
export function countRequests(page: Page, text: string): () => number {
  let count = 0;
  page.on('request', (request) => {
    count += Number(request.url().includes(text));
  });
  return () => count;
}

/**
 * Stops the page's clock, so that only the test advances it. The clock must be installed.
 * @param aheadMs how far ahead of its present time it is stopped, in milliseconds: a busy machine takes seconds for that
 */
export async function stopClock(page: Page, aheadMs = 60_000): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + aheadMs);
}

/** Holds each request of a page to this address for a while, as a slow connection does. */
export async function delayRequests(page: Page, url: string, ms: number): Promise<void> {
  await page.route(url, async (route) => {
    await setTimeout(ms);
    await route.continue();
  });
}

/**
 * Waits until the service worker controls the page. It first loads the whole page into its cache, which takes a busy
 * machine longer than anything that a user waits for.
 */
export async function untilControlled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 });
}

/**
 * Keeps notices and celebrations for as long as a test needs on a busy machine. Call it before `goto`, and after the
 * page's clock is installed.
 * @param from how long a notice must be shown by the product to be kept, in milliseconds. The default keeps all; 10,000
 *   keeps only those with an action and celebrations, so that the others cover no button for long.
 */
export async function keepNotices(page: Page, from = 5_000): Promise<void> {
  await page.addInitScript((least) => {
    const start = globalThis.setTimeout.bind(globalThis);
    const slow = (work: () => void, ms = 0) => start(work, ms < least || ms > 10_000 ? ms : ms * 100);
    Object.assign(globalThis, { setTimeout: slow });
  }, from);
}

/**
 * Records the text of the page while it says something that it says only for a moment, from its next load on: a test that
 * looks for it may be too late. Returns a function that reads the text, empty until then.
 * @param words the whole text of an element
 * @param selector matches the element
 */
export async function recordSaid(page: Page, words: string, selector = 'body *'): Promise<() => Promise<string>> {
  await page.addInitScript(
    ([wanted, where]) => {
      const record = () => {
        const isSaid = [...document.querySelectorAll(where)].some(({ textContent }) => textContent === wanted);
        if (isSaid) Object.assign(globalThis, { said: document.body.textContent });
      };
      new MutationObserver(record).observe(document, { childList: true, characterData: true, subtree: true });
    },
    [words, selector] as const,
  );
  return () => page.evaluate(() => (globalThis as unknown as { said?: string }).said ?? '');
}

/** Moves the focus to an element with the Tab key only. */
export async function tabTo(target: Locator): Promise<void> {
  const hasFocus = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; !(await hasFocus()); presses += 1) {
    if (presses === 100) throw new Error('The Tab key does not reach it.');
    await target.page().keyboard.press('Tab');
  }
}

/**
 * Lets React render what an event or the page's clock has changed. React's scheduler uses message channels, which the
 * page's clock does not control, so the result may come after `runFor` has returned.
 */
export async function letReactRender(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      await new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(null);
      });
    }
  });
}

function watch(page: Page, name: string, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`${name}: ${error.stack || `${error.name}: ${error.message}`}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && /Content Security Policy/i.test(text)) problems.push(`${name}: ${text}`);
  });
}

async function screenshot({ name, page }: Window, test: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true });
  const file = `${test} - ${name}.png`.replaceAll(/[^\w .,()-]/g, '_');
  // Fails if the test closed the window or it crashed.
  await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true }).catch(() => undefined);
}

/** Crashes the page's process, like a phone that kills it without warning, and opens another tab. */
export async function killAndReopen(page: Page): Promise<Page> {
  const crashed = page.waitForEvent('crash');
  void page.goto('chrome://crash').catch(() => undefined);
  await crashed;
  return page.context().newPage();
}
