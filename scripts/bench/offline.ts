import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { isKnownOffline, storedRows } from '../../tests/journeys/stored-rows.ts';
import { addSessionCookie, launchChromium } from '../../tests/support/chromium.ts';
import { addSmallPhotos, type BenchServer, median, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';
import { CPU_SLOWDOWN, SLOW_4G, WINDOW } from './phone.ts';

const ROUNDS = 11;
const LOOPBACK = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const NONE = { ...LOOPBACK, offline: true };

/**
 * Measures opening the installed app without a network against opening it with one, until the dashboard shows the
 * couple's data. The network of this machine answers at once, so it is the hardest to compare with.
 */
export async function benchOffline(): Promise<Figure[]> {
  const server = await startBenchServer();
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ baseURL: server.url, ...WINDOW });
    await addSmallPhotos(server, 4);
    await install(context, server);
    const fast: number[] = [];
    const slow: number[] = [];
    const times: number[] = [];
    // Alternating, so that changes in machine speed affect all.
    for (let round = 0; round < ROUNDS; round += 1) {
      const offline = await open(context, NONE);
      fast.push(offline / (await open(context, LOOPBACK)));
      slow.push(offline / (await open(context, SLOW_4G)));
      times.push(offline);
    }
    const figureOf = (network: string, ratios: readonly number[]): Figure => ({
      what: `the installed app without a network : with ${network}`,
      figure: median(ratios).toFixed(2),
      goal: `at most 1.00 (${Math.round(median(times))} ms without, slow phone)`,
    });
    return [figureOf("this machine's network", fast), figureOf('slow 4G', slow)];
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Visits the dashboard until everything that it needs offline is on the device. */
async function install(context: BrowserContext, server: BenchServer): Promise<void> {
  await addSessionCookie(context, server);
  await context.addInitScript(() => localStorage.setItem('known', 'yes'));
  await context.addInitScript(markContent);
  const page = await context.newPage();
  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto('/dashboard');
    await contentAt(page);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    while (!(await isSeen(page))) await sleep(100);
  }
  await page.close();
}

/** Whether the device has the user and the data of the dashboard. */
async function isSeen(page: Page): Promise<boolean> {
  const { keys } = await storedRows(page, 'last-seen', 'answers');
  return keys.some((key) => key.startsWith('["home"')) && (await isKnownOffline(page));
}

/** Sets `contentAt` to the time of the frame in which the couple's figures are on the page. Runs in the page. */
function markContent(): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('main')?.textContent.includes('Time Together')) return;
    observer.disconnect();
    requestAnimationFrame((at) => Object.assign(globalThis, { contentAt: at }));
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
}

async function contentAt(page: Page): Promise<number> {
  const found = await page.waitForFunction(() => (globalThis as { contentAt?: number }).contentAt);
  return (await found.jsonValue()) as number;
}

/** Opens the app in a new window. Returns the milliseconds from the navigation to the content. */
async function open(context: BrowserContext, network: typeof NONE): Promise<number> {
  const page = await context.newPage();
  // A page's emulated network does not apply to the service worker, which then needs none.
  await context.setOffline(network.offline);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', network);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.goto('/dashboard');
  const at = await contentAt(page);
  await page.close();
  await context.setOffline(false);
  return at;
}
