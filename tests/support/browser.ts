import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from './chromium.ts';

/** Where a failed journey leaves what was on the screens. */
const SCREENSHOTS = join(import.meta.dirname, '../../.cache/screenshots');

export interface WindowOptions extends BrowserContextOptions {
  /** Whose window it is: it names the screenshot of a failure. */
  readonly name?: string;
}

/** One Chromium for the journeys of a file, with a window of its own (cookies, storage) for each who takes part. */
export interface Chromium {
  /**
   * Opens a window on a server; `page.goto('/dashboard')` is relative to it. It closes with the test that opened it,
   * or with the file where a hook did. An error that the page threw, or something its security policy refused, fails
   * the test.
   */
  open(url: string, options?: WindowOptions): Promise<Page>;
}

interface Window {
  readonly name: string;
  readonly context: BrowserContext;
  readonly page: Page;
  /** The test that opened it; undefined where a hook did. */
  readonly owner: string | undefined;
  readonly problems: string[];
}

/** To be called once at the top of a file of journeys; `args` are the browser's own (a camera that is none). */
export function useChromium(args: readonly string[] = []): Chromium {
  let browser: Browser | undefined;
  let windows: Window[] = [];
  beforeAll(async () => {
    browser = await launchChromium(args);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await Promise.all(windows.map((window) => screenshot(window, task.name)));
    const problems = windows.flatMap((window) => window.problems.splice(0));
    const over = windows.filter(({ owner }) => owner !== undefined);
    windows = windows.filter(({ owner }) => owner === undefined);
    await Promise.all(over.map(({ context }) => context.close()));
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
        // Faults are made with `page.route`, which a worker would be past; the journeys of the worker say 'allow'.
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
  // A window that the test has closed, or that has crashed, has nothing to show.
  await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true }).catch(() => undefined);
}
