import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../../tests/support/chromium.ts';
import { type BenchServer, median, startCoupleServer } from './bench-server.ts';
import type { Figure } from './figure.ts';

const ROUNDS = 7;
/** A phone and its network as Lighthouse takes them: slow 4G, a processor four times slower than this one. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const SLOWER = 4;

/** The dashboard opened for the first time, against a page of the same content that needs no script. */
export async function benchFirstPage(): Promise<Figure[]> {
  const server = await startCoupleServer();
  const browser = await launchChromium();
  try {
    await server.send('PUT', '/bench/ready-made', { html: await snapshot(browser, server) });
    const ratios: number[] = [];
    let last = 0;
    // In turn, so that a machine whose speed drifts slows both.
    for (let round = 0; round < ROUNDS; round += 1) {
      const floor = await largestPaint(browser, server, '/bench/page');
      last = await largestPaint(browser, server, '/dashboard');
      ratios.push(last / floor);
    }
    return [
      {
        what: 'largest paint of the dashboard : the same page without script',
        figure: median(ratios).toFixed(2),
        goal: `at most 1.80 (${Math.round(last)} ms, first visit, slow 4G, slow phone)`,
      },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function windowOn(browser: Browser, server: BenchServer): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  });
  const [name = '', value = ''] = server.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  // As signing in leaves it.
  await context.addInitScript(() => localStorage.setItem('known', 'yes'));
  return context;
}

/** The dashboard as it stands when all of it is there, without the scripts that made it. */
async function snapshot(browser: Browser, server: BenchServer): Promise<string> {
  const context = await windowOn(browser, server);
  const page = await context.newPage();
  await page.goto('/dashboard');
  await page.getByRole('region', { name: 'Recent Memories' }).waitFor();
  await page.waitForLoadState('load');
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))));
  const html = await page.evaluate(() => {
    for (const one of document.querySelectorAll('script, link[rel=modulepreload], link[rel=manifest]')) one.remove();
    return `<!doctype html>${document.documentElement.outerHTML}`;
  });
  await context.close();
  return html;
}

/** When the largest thing of the first screen was painted, in milliseconds, with nothing in the caches. */
async function largestPaint(browser: Browser, server: BenchServer, path: string): Promise<number> {
  const context = await windowOn(browser, server);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(path);
  await page.locator('img[src*="size=preview"]').first().waitFor();
  const paint = await settledPaint(page);
  await context.close();
  return paint;
}

/** The last of the candidates, when no other has come for a while. */
function settledPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let largest = 0;
        let timer = setTimeout(() => resolve(largest), 5000);
        new PerformanceObserver((list) => {
          largest = list.getEntries().at(-1)?.startTime ?? largest;
          clearTimeout(timer);
          timer = setTimeout(() => resolve(largest), 3000);
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}
