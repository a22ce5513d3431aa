import type { Browser } from 'playwright-core';
import { addSessionCookie, launchChromium } from '../../tests/support/chromium.ts';
import { type BenchServer, median, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';

const ROUNDS = 5;
const DAY_MS = 86_400_000;
const SCREENS = { '/date-ideas': 'ideas', '/planned-dates': 'dates' } as const;

/** Measures the time to the first card in lists of 1,000 ideas and 3,000 dates against lists of thirty. */
export async function benchLongLists(): Promise<Figure[]> {
  const browser = await launchChromium();
  const [short, long] = [await startWithLists(30, 30), await startWithLists(1_000, 3_000)];
  try {
    const figures: Figure[] = [];
    for (const [path, what] of Object.entries(SCREENS)) {
      const ratios: number[] = [];
      let took = 0;
      // Alternating, so that changes in machine speed affect both. The first round warms up.
      for (let round = 0; round <= ROUNDS; round += 1) {
        const floor = await timeToFirstCard(browser, short, path);
        took = await timeToFirstCard(browser, long, path);
        if (round > 0) ratios.push(took / floor);
      }
      figures.push({
        what: `list of ${what === 'ideas' ? '1,000' : '3,000'} ${what} : of 30, first card`,
        figure: median(ratios).toFixed(2),
        goal: `1.00 (${Math.round(took)} ms)`,
      });
    }
    return figures;
  } finally {
    await browser.close();
    await Promise.all([short.stop(), long.stop()]);
  }
}

async function startWithLists(ideas: number, dates: number): Promise<BenchServer> {
  const server = await startBenchServer();
  const idOf = async (response: Promise<Response>) => ((await (await response).json()) as { id: string }).id;
  const ids = await createInTens(ideas, (n) =>
    idOf(
      server.send('POST', '/api/DateIdeas', {
        title: `A walk, number ${n}`,
        description: 'As far as the old bridge.',
        category: 'Outdoor',
      }),
    ),
  );
  const now = Date.now();
  await createInTens(dates, (n) =>
    idOf(
      server.send('POST', '/api/PlannedDates', {
        dateIdeaId: ids[n % ids.length],
        plannedDateTime: new Date(now + (5 - n) * DAY_MS).toISOString(),
        location: 'From the weir to the old bridge',
      }),
    ),
  );
  return server;
}

async function createInTens<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < count; from += 10) {
    results.push(...(await Promise.all(Array.from({ length: Math.min(10, count - from) }, (_, n) => make(from + n)))));
  }
  return results;
}

/** Milliseconds from navigation until the first card is in the page. */
async function timeToFirstCard(browser: Browser, server: BenchServer, path: string): Promise<number> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 800 } });
  await addSessionCookie(context, server);
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const check = () => {
        if (document.querySelector('article')) Object.assign(globalThis, { firstCardAt: performance.now() });
        else requestAnimationFrame(check);
      };
      requestAnimationFrame(check);
    });
    await page.goto(path);
    const found = await page.waitForFunction(() => (globalThis as unknown as { firstCardAt?: number }).firstCardAt);
    return Number(await found.jsonValue());
  } finally {
    await context.close();
  }
}
