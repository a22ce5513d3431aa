import { setTimeout } from 'node:timers/promises';
import type { Locator, Page, Response } from 'playwright-core';

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

/** Crashes the page's process, like a phone that kills it without warning, and opens another tab. */
export async function killAndReopen(page: Page): Promise<Page> {
  const crashed = page.waitForEvent('crash');
  void page.goto('chrome://crash').catch(() => undefined);
  await crashed;
  return page.context().newPage();
}

/** Whether the browser asks before this page is closed. The page stays open. */
export async function asksBeforeClosing(page: Page): Promise<boolean> {
  return page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
}

/** How long to wait for what follows a connection: the page tries to reach the server every fifteen seconds. */
export const RECONNECT = { timeout: 40_000 };
