import type { Browser, BrowserContext, Page } from 'playwright-core';
import { addSessionCookie, launchChromium } from '../../tests/support/chromium.ts';
import { type BenchServer, median, startCoupleServer } from './bench-server.ts';
import type { Figure } from './figure.ts';
import { CPU_SLOWDOWN, SLOW_4G, WINDOW } from './phone.ts';

const ROUNDS = 7;

/** Measures the first visit to the dashboard against a static page with the same content. */
export async function benchFirstPage(): Promise<Figure[]> {
  const server = await startCoupleServer();
  const browser = await launchChromium();
  try {
    await server.send('PUT', '/bench/prepared', { html: await snapshot(browser, server) });
    const ratios: number[] = [];
    let last = 0;
    // Alternating, so that changes in machine speed affect both.
    for (let round = 0; round < ROUNDS; round += 1) {
      const floor = await largestPaint(browser, server, '/bench/page');
      last = await largestPaint(browser, server, '/dashboard');
      ratios.push(last / floor);
    }
    return [
      {
        what: 'largest paint of the dashboard : static page with the same content',
        figure: median(ratios).toFixed(2),
        goal: `at most 1.80 (${Math.round(last)} ms, first visit, slow 4G, slow phone)`,
      },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function openContext(browser: Browser, server: BenchServer): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: server.url,
    ...WINDOW,
    serviceWorkers: 'block',
  });
  await addSessionCookie(context, server);
  // Signing in leaves this mark.
  await context.addInitScript(() => localStorage.setItem('known', 'yes'));
  return context;
}

/** The HTML of the fully loaded dashboard, without its scripts. */
async function snapshot(browser: Browser, server: BenchServer): Promise<string> {
  const context = await openContext(browser, server);
  const page = await context.newPage();
  await page.goto('/dashboard');
  await page.getByRole('region', { name: 'Recent Memories' }).waitFor();
  await page.waitForLoadState('load');
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))));
  const html = await page.evaluate(() => {
    for (const element of document.querySelectorAll('script, link[rel=modulepreload], link[rel=manifest]'))
      element.remove();
    return `<!doctype html>${document.documentElement.outerHTML}`;
  });
  await context.close();
  return html;
}

/** Largest Contentful Paint in milliseconds, with empty caches. */
async function largestPaint(browser: Browser, server: BenchServer, path: string): Promise<number> {
  const context = await openContext(browser, server);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.goto(path);
  await page.locator('img[src*="size=preview"]').first().waitFor();
  const paint = await finalPaint(page);
  await context.close();
  return paint;
}

/** The last LCP candidate, after three seconds without a new one. */
function finalPaint(page: Page): Promise<number> {
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
