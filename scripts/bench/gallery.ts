import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../tests/support/chromium.ts';
import { addSmallPhotos, type BenchServer, median, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';

const FEW = 1_000;
const MANY = 100_000;
const ROUNDS = 5;

/** What was measured of one gallery. */
interface Measured {
  /** Milliseconds until the first photograph is on the screen. */
  readonly first: number;
  /** The longest task of a visit, in milliseconds of the processor's time: a busy machine does not lengthen it. */
  readonly task: number;
  /** The same by the clock, as the browser tells of what takes 50 or more; else 0. */
  readonly long: number;
  /** Bytes that the page's JavaScript holds after it, garbage collected. */
  readonly heap: number;
  readonly tiles: number;
  /** Bytes of the first answer. */
  readonly answer: number;
}

/** The gallery of 100,000 memories against one of 1,000: what is seen first, the longest task, memory. */
export async function benchGallery(): Promise<Figure[]> {
  const browser = await launchChromium(['--js-flags=--expose-gc']);
  const [few, many] = [await filled(FEW), await filled(MANY)];
  try {
    const visits: { few: Measured; many: Measured }[] = [];
    // In turn, so that a machine whose speed drifts slows both; the first round warms.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const visit = { few: await visitGallery(browser, few), many: await visitGallery(browser, many) };
      if (round > 0) visits.push(visit);
    }
    const ratio = (of: (one: Measured) => number) =>
      median(visits.map((visit) => of(visit.many) / of(visit.few))).toFixed(2);
    const most = (of: (one: Measured) => number) => Math.max(...visits.map(({ many: one }) => of(one)));
    const middle = (of: (one: Measured) => number) => Math.round(median(visits.map(({ many: one }) => of(one))));
    const longest = Math.round(most(({ long }) => long));
    return [
      figure(
        'first photograph',
        ratio(({ first }) => first),
        `at most 1.20 (${middle(({ first }) => first)} ms)`,
      ),
      figure(
        'heap after a visit',
        ratio(({ heap }) => heap),
        `at most 1.20 (${(middle(({ heap }) => heap) / 1e6).toFixed(1)} MB)`,
      ),
      figure(
        'longest task',
        ratio(({ task }) => task),
        'at most 1.20',
      ),
      {
        what: 'gallery of 100,000: longest task, ms of processor time',
        figure: String(Math.round(most(({ task }) => task))),
        goal: `at most 50 (by the clock ${longest})`,
      },
      {
        what: 'gallery of 100,000: most tiles in the page',
        figure: String(most(({ tiles }) => tiles)),
        goal: 'at most 150',
      },
      {
        what: 'gallery of 100,000: first answer, KB',
        figure: (most(({ answer }) => answer) / 1024).toFixed(1),
        goal: 'at most 30',
      },
    ];
  } finally {
    await browser.close();
    await Promise.all([few.stop(), many.stop()]);
  }
}

const figure = (what: string, of: string, goal: string): Figure => ({
  what: `gallery of 100,000 : of 1,000, ${what}`,
  figure: of,
  goal,
});

async function filled(count: number): Promise<BenchServer> {
  const server = await startBenchServer();
  await addSmallPhotos(server, 24);
  const { status } = await server.send('PUT', '/bench/memories', { count });
  if (status !== 204) throw new Error(`The gallery could not be filled: ${status}`);
  return server;
}

async function visitGallery(browser: Browser, server: BenchServer): Promise<Measured> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 800 } });
  const [name = '', value = ''] = server.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  try {
    const page = await context.newPage();
    await page.addInitScript(watch);
    let answer = 0;
    page.on('response', (response) => {
      if (answer === 0 && response.url().includes('/api/Memories?')) {
        answer = Number(response.headers()['content-length'] ?? 0);
      }
    });
    await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
    await page.goto('/memories');
    await page.waitForFunction(() => (globalThis as unknown as Watched).seen.first > 0);
    await wander(page);
    const task = longestTask(await browser.stopTracing());
    const { first, long, tiles } = await page.evaluate(() => (globalThis as unknown as Watched).seen);
    const devtools = await context.newCDPSession(page);
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    return { first, task, long, heap: usedSize, tiles, answer };
  } finally {
    await context.close();
  }
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread's own time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The longest task of the page's main thread, in milliseconds of processor time. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const named = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const main = new Set(named.map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith('RunTask') && main.has(`${pid} ${tid}`));
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1000), 0);
}

interface Watched {
  readonly seen: { first: number; long: number; tiles: number };
}

/** Runs in the page from its beginning. */
function watch(): void {
  const seen = { first: 0, long: 0, tiles: 0 };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.long = Math.max(seen.long, duration);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    const images = document.querySelectorAll<HTMLImageElement>('main li img');
    if (seen.first === 0 && [...images].some((image) => image.complete && image.naturalWidth > 0)) {
      seen.first = performance.now();
    }
    seen.tiles = Math.max(seen.tiles, document.querySelectorAll('main li').length);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Some way down by the wheel, then to the middle, to the end, and to a month; each time until photographs are there. */
async function wander(page: Page): Promise<void> {
  const arrived = () =>
    page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>('main li img')].some((image) => {
        const { top, bottom } = image.getBoundingClientRect();
        return bottom > 0 && top < innerHeight && image.complete && image.naturalWidth > 0;
      }),
    );
  await page.mouse.move(640, 400);
  for (let turn = 0; turn < 20; turn += 1) await page.mouse.wheel(0, 300);
  await arrived();
  for (const part of [0.5, 0.97, 0.25]) {
    await page.evaluate((to) => scrollTo(0, document.documentElement.scrollHeight * to), part);
    await arrived();
  }
  const months = page.getByRole('combobox', { name: 'Jump to month' });
  await months.selectOption({ index: 3 });
  await arrived();
}
