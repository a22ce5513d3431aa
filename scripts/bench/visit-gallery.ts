import type { Browser, Page } from 'playwright-core';
import { addSessionCookie } from '../../tests/support/chromium.ts';
import type { BenchServer } from './bench-server.ts';

/** Measurements of one visit to a gallery. */
export interface Visit {
  /** Milliseconds until the first photograph is on the screen. */
  readonly firstPhoto: number;
  /** The longest task in milliseconds of CPU time, which a busy machine doesn't lengthen. */
  readonly longestTask: number;
  /** JavaScript heap in bytes after garbage collection. */
  readonly heap: number;
  readonly tiles: number;
  /** Bytes of the first response. */
  readonly responseBytes: number;
}

/** Opens a gallery in a new browser context, scrolls about, and measures. */
export async function visitGallery(browser: Browser, server: BenchServer, path: string): Promise<Visit> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 800 } });
  await addSessionCookie(context, server.user);
  try {
    const page = await context.newPage();
    await page.addInitScript(observePage);
    let responseBytes = 0;
    page.on('response', (response) => {
      if (responseBytes === 0 && response.url().includes('/api/Memories?')) {
        responseBytes = Number(response.headers()['content-length'] ?? 0);
      }
    });
    await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
    await page.goto(path);
    await page.waitForFunction(() => (globalThis as unknown as ObservedWindow).observed.firstPhoto > 0);
    await scrollAround(page);
    const longestTask = findLongestTask(await browser.stopTracing(), server.url);
    const { firstPhoto, tiles } = await page.evaluate(() => (globalThis as unknown as ObservedWindow).observed);
    const devtools = await context.newCDPSession(page);
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    return { firstPhoto, longestTask, heap: usedSize, tiles, responseBytes };
  } finally {
    await context.close();
  }
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly url?: string } };
}

/**
 * The longest task of the main thread that sends requests to `url`, in milliseconds of CPU time. Chromium has pages of its
 * own, in other threads.
 */
function findLongestTask(trace: Buffer, url: string): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const load = traceEvents.find(({ name, args }) => name === 'ResourceSendRequest' && args?.data?.url?.startsWith(url));
  if (!load) throw new Error('The trace has no request of the page.');
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && pid === load.pid && tid === load.tid,
  );
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1000), 0);
}

interface ObservedWindow {
  readonly observed: { firstPhoto: number; tiles: number };
}

/** Runs in the page before its scripts, and records what it shows. */
function observePage(): void {
  const observed = { firstPhoto: 0, tiles: 0 };
  Object.assign(globalThis, { observed });
  const observeFrame = () => {
    const images = document.querySelectorAll<HTMLImageElement>('main li img');
    if (observed.firstPhoto === 0 && [...images].some((image) => image.complete && image.naturalWidth > 0)) {
      observed.firstPhoto = performance.now();
    }
    observed.tiles = Math.max(observed.tiles, document.querySelectorAll('main li').length);
    requestAnimationFrame(observeFrame);
  };
  requestAnimationFrame(observeFrame);
}

/** Scrolls down by wheel, then to the middle, the end, and a month, and waits each time until photographs are visible. */
async function scrollAround(page: Page): Promise<void> {
  const waitForPhotos = () =>
    page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>('main li img')].some((image) => {
        const { top, bottom } = image.getBoundingClientRect();
        return bottom > 0 && top < innerHeight && image.complete && image.naturalWidth > 0;
      }),
    );
  await page.mouse.move(640, 400);
  for (let turn = 0; turn < 20; turn += 1) await page.mouse.wheel(0, 300);
  await waitForPhotos();
  for (const part of [0.5, 0.97, 0.25]) {
    await page.evaluate((to) => scrollTo(0, document.documentElement.scrollHeight * to), part);
    await waitForPhotos();
  }
  await page.getByRole('combobox', { name: 'Jump to month' }).selectOption({ index: 3 });
  await waitForPhotos();
}
