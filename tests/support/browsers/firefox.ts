import { existsSync } from 'node:fs';
import puppeteer, { type Page } from 'puppeteer-core';
import type { BrowserEngine, BrowserWindow, Key, RunningBrowser } from './browser-engine.ts';
import { recordProblems } from './record-problems.ts';

/** Firefox, headless, driven over WebDriver BiDi (decision 33). */
export const firefox: BrowserEngine = {
  name: 'Firefox',
  advancesInDateFields: true,
  needsRecorderInPage: false,
  isInstalled: () => findFirefox() !== undefined,
  start,
};

async function start(): Promise<RunningBrowser> {
  const executablePath = findFirefox();
  if (executablePath === undefined) throw new Error('No Firefox found: install it or set FIREFOX_PATH.');
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    defaultViewport: null,
    // Shorter than a test may take, so that the test's error names the command.
    protocolTimeout: 60_000,
    // The zone and language of the other journeys' browsers, except that dates are typed month first.
    env: { ...process.env, TZ: 'Europe/Rome', LANG: 'en_US.UTF-8' },
    extraPrefsFirefox: {
      'intl.accept_languages': 'en-US',
      // As in Chromium's journeys: the floating hearts slow a test down.
      'ui.prefersReducedMotion': 1,
      // One process for all pages, and none in reserve: half of the memory.
      'dom.ipc.processCount': 1,
      'dom.ipc.processPrelaunch.enabled': false,
      'fission.autostart': false,
    },
  });
  const front: Front = { page: null };
  return {
    open: async () => {
      const context = await browser.createBrowserContext();
      // In a window of its own: the browser slows down pages in the background.
      const page = await context.newPage({ type: 'window' });
      await page.evaluateOnNewDocument(recordProblems);
      return new FirefoxWindow(page, front);
    },
    close: () => browser.close(),
  };
}

/** The page that was activated last. */
interface Front {
  page: Page | null;
}

/** One page in a container of its own. */
class FirefoxWindow implements BrowserWindow {
  readonly #page: Page;
  readonly #front: Front;

  constructor(page: Page, front: Front) {
    this.#page = page;
    this.#front = front;
  }

  async goto(url: string): Promise<void> {
    await this.#page.goto(url);
  }

  async reload(): Promise<void> {
    await this.#page.reload();
  }

  async traverse(steps: -1 | 1): Promise<void> {
    // Rejects after its timeout if the page cancels it.
    const going = steps === -1 ? this.#page.goBack() : this.#page.goForward();
    going.catch(() => undefined);
  }

  call(source: string, args: readonly unknown[]): Promise<unknown> {
    return this.#page.evaluate(`(${source})(...${JSON.stringify(args)})`);
  }

  click(x: number, y: number): Promise<void> {
    return this.#page.mouse.click(x, y);
  }

  /** A date field gives its first part the focus only in an active window. */
  async activate(): Promise<void> {
    if (this.#front.page === this.#page) return;
    await this.#page.bringToFront();
    this.#front.page = this.#page;
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  press(key: Key): Promise<void> {
    return this.#page.keyboard.press(key);
  }

  async setFiles(selector: string, paths: readonly string[]): Promise<void> {
    const input = await this.#page.$<'input'>(selector as 'input');
    if (input === null) throw new Error(`${selector} is not there`);
    await input.uploadFile(...paths);
  }

  async setCookie(url: string, name: string, value: string): Promise<void> {
    const { hostname } = new URL(url);
    await this.#page
      .browserContext()
      .setCookie({ name, value, domain: hostname, path: '/', httpOnly: true, sameSite: 'Strict' });
  }

  resize(width: number, height: number): Promise<void> {
    return this.#page.setViewport({ width, height });
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from(await this.#page.screenshot());
  }

  close(): Promise<void> {
    return this.#page.browserContext().close();
  }
}

/** `FIREFOX_PATH`, or else the first that exists of the usual paths. */
function findFirefox(): string | undefined {
  const configured = process.env.FIREFOX_PATH;
  const paths = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];
  return (configured ? [configured] : paths).find((path) => existsSync(path));
}
