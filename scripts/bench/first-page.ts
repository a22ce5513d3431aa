import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { isKnownOffline, storedRows } from '../../tests/journeys/stored-rows.ts';
import { addSessionCookie, launchChromium } from '../../tests/support/chromium.ts';
import { addSmallPhotos, type BenchServer, startBenchServer } from './bench-server.ts';
import type { Figure } from './figures-on-both-engines.ts';
import { median } from './median-time.ts';

const ROUNDS = 9;

/** A phone as Lighthouse simulates it: its window, slow 4G, and a processor four times slower than this one. */
const WINDOW = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  reducedMotion: 'reduce',
} as const;
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const CPU_SLOWDOWN = 4;

/** What the user sees, in milliseconds after the navigation. */
interface Times {
  /** First contentful paint. */
  readonly paint: number;
  /** The screen's text. */
  readonly text: number;
  /** The screen's first photograph; absent on the sign-in page. */
  readonly photo?: number;
}

/** Measures how soon a phone shows the first screen: on the first visit of all, opened again, and without a network. */
export async function benchFirstPage(): Promise<Figure[]> {
  const server = await startBenchServer();
  const browser = await launchChromium();
  try {
    await addSmallPhotos(server, 4);
    const fresh: Times[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const context = await newContext(browser, server, 'block');
      fresh.push(await open(context, SLOW_4G, 'Sign in'));
      await context.close();
    }
    const cached = await visited(browser, server, 'block');
    const again = await openOften(cached, SLOW_4G);
    const installed = await visited(browser, server, 'allow');
    const app = await openOften(installed, SLOW_4G);
    const offline = await openOften(installed, { ...SLOW_4G, offline: true });
    return [
      figureOf('first visit of all: text of the sign-in page', fresh, 'text', 1800),
      ...[
        { name: 'opened again, warm HTTP cache', times: again },
        { name: 'opened again, installed', times: app },
      ].flatMap(({ name, times }) => [
        figureOf(`${name}: first paint`, times, 'paint', 500),
        figureOf(`${name}: text`, times, 'text', 1200),
        figureOf(`${name}: first photograph`, times, 'photo', 1500),
      ]),
      figureOf('installed, without a network: text', offline, 'text', 1000),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

function figureOf(what: string, times: readonly Times[], key: keyof Times, goal: number): Figure {
  const figure = median(times.map((one) => one[key] ?? Number.NaN));
  return { what, figure: `${Math.round(figure)} ms`, goal: `at most ${goal} ms (slow phone, slow 4G, median)` };
}

async function newContext(browser: Browser, server: BenchServer, serviceWorkers: 'allow' | 'block') {
  const context = await browser.newContext({ baseURL: server.url, ...WINDOW, serviceWorkers });
  await context.addInitScript(watch);
  return context;
}

/** A device on which the dashboard was opened before, with all that it keeps. */
async function visited(browser: Browser, server: BenchServer, serviceWorkers: 'allow' | 'block') {
  const context = await newContext(browser, server, serviceWorkers);
  await addSessionCookie(context, server.user);
  const page = await context.newPage();
  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto('/dashboard');
    await page.waitForFunction(() => 'photo' in globalThis);
    if (serviceWorkers === 'allow') await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    while (!(await isStored(page))) await sleep(100);
  }
  await page.close();
  return context;
}

/** Whether the device has the user and the data of the dashboard. */
async function isStored(page: Page): Promise<boolean> {
  const { keys } = await storedRows(page, 'last-seen', 'answers');
  return keys.some((key) => key.startsWith('["home"')) && (await isKnownOffline(page));
}

async function openOften(context: BrowserContext, network: typeof SLOW_4G): Promise<Times[]> {
  const times: Times[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await open(context, network, 'Time Together'));
  return times;
}

/** Opens the app in a new window, and closes it when everything is there. */
async function open(context: BrowserContext, network: typeof SLOW_4G, text: string): Promise<Times> {
  const page = await context.newPage();
  // A page's emulated network does not apply to the service worker.
  await context.setOffline(network.offline);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', network);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.goto('/dashboard');
  const shown = text === 'Time Together' && !network.offline ? ['paint', 'text', 'photo'] : ['paint', 'text'];
  const times = await page.waitForFunction(
    (keys) =>
      keys.every((key) => key in globalThis) &&
      Object.fromEntries(keys.map((key) => [key, Reflect.get(globalThis, key)])),
    shown,
  );
  const found = (await times.jsonValue()) as unknown as Times;
  await page.close();
  return found;
}

/** Notes on `globalThis` when the page first shows something, its text, and its first photograph. Runs in the page. */
function watch(): void {
  const note = (key: string) =>
    requestAnimationFrame((at) => key in globalThis || Object.assign(globalThis, { [key]: at }));
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries())
      if (name === 'first-contentful-paint') Object.assign(globalThis, { paint: startTime });
  }).observe({ type: 'paint', buffered: true });
  new MutationObserver(() => {
    if (/Time Together|Sign in/.test(document.querySelector('main')?.textContent ?? '')) note('text');
  }).observe(document, { childList: true, subtree: true, characterData: true });
  const onLoad = ({ target }: Event) => target instanceof HTMLImageElement && target.closest('main') && note('photo');
  document.addEventListener('load', onLoad, { capture: true });
}
