import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerOnce } from '../support/answer-once.ts';
import { letReactRender, type WindowOptions } from '../support/browser.ts';
import { addIdea, addPhoto, completeDate, planDate, startDate } from '../support/factories.ts';
import { useCouple } from '../support/use-app.ts';

const PHONE: WindowOptions = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  userAgent: 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
};

/** Calls that the page makes for what the server does not render. */
const AFTER_HYDRATION = /^\/api\/(events|couple\/deletion|Stats\/(year-ago|celebrations)|Memories\/planned-date)/;

describe('a page that the server has rendered', () => {
  const us = useCouple({ timeZone: 'Europe/Rome' });
  let screens: readonly string[];
  beforeAll(async () => {
    const { ada } = us;
    const idea = await addIdea(ada, { title: 'Heads is left' });
    const planned = await planDate(ada, { idea: { title: 'The slow lunch' } });
    const done = await completeDate(ada, {
      idea: { title: 'A lantern walk' },
      at: '2026-11-20T14:00:00Z',
      minutes: 60,
    });
    const running = await startDate(ada, { idea: { title: 'The long way home' } });
    for (const seed of [1, 2, 3, 4, 5, 6]) await addPhoto(ada, done.id, seed, `Lantern ${seed}`);
    screens = [
      '/dashboard',
      '/date-ideas',
      '/date-ideas/add',
      '/planned-dates',
      '/memories',
      '/memories/upload',
      '/stats',
      '/settings',
      `/date-ideas/${idea.id}/edit`,
      `/date-ideas/${idea.id}/plan`,
      `/planned-dates/${done.id}`,
      `/planned-dates/${planned.id}/edit`,
      `/planned-dates/${running.id}/complete`,
      `/planned-dates/${running.id}/now`,
    ];
  });

  const notHydrated = 'fieldset[disabled]';
  const open = (options: WindowOptions = {}) => us.open({ ...PHONE, ...options });

  /** Holds back the app's code until the returned function is called. */
  async function holdScripts(page: Page): Promise<() => void> {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/entry-client-*.js', async (route) => {
      await held;
      await route.continue();
    });
    return release;
  }

  it('is readable before its scripts arrive, and without them', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto('/date-ideas');
    await page.getByRole('heading', { name: 'Heads is left' }).waitFor();
  });

  it('has the proportions of its photographs before its scripts arrive', async () => {
    const page = await open({ javaScriptEnabled: false });
    let photos = 0;
    for (const screen of screens) {
      await page.goto(screen);
      const all = await page.locator('main img[width][height]').evaluateAll((images: HTMLImageElement[]) =>
        images.map((image) => {
          const { width, height } = image.getBoundingClientRect();
          const given = Number(image.getAttribute('width')) / Number(image.getAttribute('height'));
          return { drawn: width / height, given };
        }),
      );
      photos += all.length;
      for (const { drawn, given } of all) expect(Math.abs(drawn / given - 1), screen).toBeLessThan(0.02);
    }
    expect(photos).toBeGreaterThan(6);
  });

  it('is hydrated on every screen without errors, shifts or a second round of calls', async () => {
    const page = await open();
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === 'GET' && pathname.startsWith('/api/') && request.resourceType() === 'fetch')
        calls.push(pathname);
    });
    await page.addInitScript(() => {
      Object.assign(globalThis, { moved: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const by = 'value' in entry ? Number(entry.value) : 0;
          Object.assign(globalThis, { moved: Number(Reflect.get(globalThis, 'moved')) + by });
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (const screen of screens) {
      calls.length = 0;
      // The last call that hydration makes.
      const events = page.waitForResponse('**/api/events');
      await page.goto(screen);
      const heading = await page.getByRole('heading', { level: 1 }).elementHandle();
      await page.locator(notHydrated).first().waitFor({ state: 'detached' });
      // The same element: React did not render the page again.
      expect(await heading?.evaluate((element) => element.isConnected), screen).toBe(true);
      expect(await page.evaluate(() => Number(Reflect.get(globalThis, 'moved'))), screen).toBeLessThan(0.1);
      await events;
      expect(
        calls.filter((path) => !AFTER_HYDRATION.test(path)),
        screen,
      ).toEqual([]);
    }
    expect(errors).toEqual([]);
  });

  it('disables its buttons and fields until they work', async () => {
    const page = await open();
    const release = await holdScripts(page);
    await page.goto('/date-ideas');
    await page.getByRole('heading', { name: 'Heads is left' }).waitFor();
    const button = page.getByRole('button', { name: 'Delete' }).first();
    expect(await button.isDisabled()).toBe(true);
    expect(await page.getByLabel('Search').isDisabled()).toBe(true);
    release();
    await page.getByLabel('Search').fill('Heads');
    await button.click();
    await page.getByRole('alertdialog').waitFor();
  });

  it('keeps the date in progress in its place until its code arrives', async () => {
    const page = await open();
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route('**/assets/running-dates-*.js', async (route) => {
      asked.resolve();
      await held.promise;
      await route.continue();
    });
    await page.addInitScript(() => {
      const isThere = () => document.querySelector('main')?.innerText.includes('The long way home') ?? false;
      let wasThere = false;
      new MutationObserver(() => {
        wasThere ||= isThere();
        if (wasThere && !isThere()) Object.assign(globalThis, { hasVanished: true });
      }).observe(document, { childList: true, subtree: true });
    });
    const lastCalls = ['/api/events', '/api/Stats/celebrations', '/api/Stats/year-ago'].map((path) =>
      page.waitForResponse((response) => new URL(response.url()).pathname === path),
    );
    await page.goto('/dashboard');
    await asked.promise;
    await page.locator(notHydrated).first().waitFor({ state: 'detached' });
    await Promise.all(lastCalls);
    await letReactRender(page);
    expect(await page.evaluate(() => 'hasVanished' in globalThis)).toBe(false);
    held.resolve();
    await page.getByRole('link', { name: 'Take Photo' }).click();
    await page.waitForURL('**/now?open=camera');
  });

  it('refetches data that has become stale, and keeps it when the server is slow or fails', async () => {
    const page = await open();
    // The device's clock runs ahead while the scripts are held back.
    const openLate = async (path: string) => {
      const release = await holdScripts(page);
      const renewed = page.waitForResponse('**/api/auth/renew');
      await page.goto(path);
      // Without an answer within eight seconds of its clock, the page would open as if it were offline. The second request
      // gives it time to read the answer.
      await (await renewed).finished();
      await page.evaluate(() => fetch('/healthz'));
      await page.clock.fastForward(60_000);
      release();
    };
    await page.clock.install();
    await page.route('**/api/DateIdeas/active', (route) => route.fulfill({ json: [] }));
    await openLate('/date-ideas');
    await page.getByText('Heads is left').waitFor({ state: 'detached' });
    // This page asks again once it is connected.
    await page.goto('about:blank');
    await page.unrouteAll();
    await answerOnce(page, 'GET /api/DateIdeas/active', { status: 500 });
    const failed = page.waitForResponse('**/api/DateIdeas/active');
    await openLate('/date-ideas');
    await page.locator(notHydrated).first().waitFor({ state: 'detached' });
    expect((await failed).status()).toBe(500);
    await page.getByRole('heading', { name: 'Heads is left' }).waitFor();
    await page.unrouteAll();
    await page.route('**/api/Stats', () => undefined);
    await openLate('/dashboard');
    await page.locator(notHydrated).first().waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Recent Memories' }).waitFor();
  });

  it('is rendered by the browser on a device in another zone', async () => {
    const page = await open({ timezoneId: 'Asia/Tokyo' });
    await page.goto('/settings');
    await page.locator(notHydrated).first().waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Your name').inputValue()).toBe('Ada');
    await expect.poll(() => page.getByLabel('Your name').isEnabled()).toBe(true);
  });

  it('follows a partner’s change without a reload', async () => {
    const page = await open();
    const events = page.waitForResponse('**/api/events');
    await page.goto('/date-ideas');
    await events;
    await addIdea(us.ada, { title: 'Added a moment later' });
    await page.getByRole('heading', { name: 'Added a moment later' }).waitFor();
  });
});
