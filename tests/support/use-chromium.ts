import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { addSessionCookie, launchHeadlessShell } from './chromium.ts';
import type { Partner } from './partner.ts';

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
