import type { Browser } from 'playwright-core';
import { launchChromium } from '../../tests/support/chromium.ts';
import { type BenchServer, median, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';

const ROUNDS = 5;
const DAY_MS = 86_400_000;
const SCREENS = { '/date-ideas': 'ideas', '/planned-dates': 'dates' } as const;

/** The lists of 1,000 ideas and 3,000 dates against those of thirty: what is seen first. */
export async function benchLongLists(): Promise<Figure[]> {
  const browser = await launchChromium();
  const [short, long] = [await filled(30, 30), await filled(1_000, 3_000)];
  try {
    const figures: Figure[] = [];
    for (const [path, what] of Object.entries(SCREENS)) {
      const ratios: number[] = [];
      let took = 0;
      // In turn, so that a machine whose speed drifts slows both; the first round warms.
      for (let round = 0; round <= ROUNDS; round += 1) {
        const floor = await firstCard(browser, short, path);
        took = await firstCard(browser, long, path);
        if (round > 0) ratios.push(took / floor);
      }
      figures.push({
        what: `list of ${what === 'ideas' ? '1,000' : '3,000'} ${what} : of 30, first card`,
        figure: median(ratios).toFixed(2),
        goal: `as fast (${Math.round(took)} ms)`,
      });
    }
    return figures;
  } finally {
    await browser.close();
    await Promise.all([short.stop(), long.stop()]);
  }
}

async function filled(ideas: number, dates: number): Promise<BenchServer> {
  const server = await startBenchServer();
  const idOf = async (answer: Promise<Response>) => ((await (await answer).json()) as { id: string }).id;
  const ids = await inTens(ideas, (n) =>
    idOf(
      server.send('POST', '/api/DateIdeas', {
        title: `A walk, number ${n}`,
        description: 'As far as the old bridge.',
        category: 'Outdoor',
      }),
    ),
  );
  const now = Date.now();
  await inTens(dates, (n) =>
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

async function inTens<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let from = 0; from < count; from += 10) {
    made.push(...(await Promise.all(Array.from({ length: Math.min(10, count - from) }, (_, n) => make(from + n)))));
  }
  return made;
}

/** Milliseconds from the navigation until the first card stands. */
async function firstCard(browser: Browser, server: BenchServer, path: string): Promise<number> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 800 } });
  const [name = '', value = ''] = server.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const look = () => {
        if (document.querySelector('article')) Object.assign(globalThis, { firstCardAt: performance.now() });
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(path);
    const found = await page.waitForFunction(() => (globalThis as unknown as { firstCardAt?: number }).firstCardAt);
    return Number(await found.jsonValue());
  } finally {
    await context.close();
  }
}
