import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { addSessionCookie, launchChromium } from './chromium.ts';
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

/** Arguments with which Chromium has a camera, and permits its use without asking. */
export const FAKE_CAMERA = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** One Chromium for all journeys of a file. Each window has its own cookies and storage. */
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

/** Starts Chromium for a file's journeys. Call it once at the top; `args` are Chromium's, such as `FAKE_CAMERA`. */
export function useChromium(args: readonly string[] = []): Chromium {
  let browser: Browser | undefined;
  let windows: Window[] = [];
  beforeAll(async () => {
    browser = await launchChromium(args);
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
    await browser?.close();
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
  page.on('pageerror', (error) => problems.push(`${name}: ${error.stack ?? error.message}`));
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
