import { beforeAll, describe, expect, it } from 'vitest';
import { answerOnce } from '../support/answer-once.ts';
import type { WindowOptions } from '../support/browser.ts';
import { addIdea, addPhoto, completeDate, planDate, startDate } from '../support/factories.ts';
import { useAda } from './upload-page.ts';

const PHONE: WindowOptions = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  userAgent: 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
};

describe('a page that the server has drawn', () => {
  const here = useAda({ timeZone: 'Europe/Rome' });
  let screens: readonly string[];
  beforeAll(async () => {
    const { ada } = here;
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
      ...['/dashboard', '/date-ideas', '/date-ideas/add', '/planned-dates', '/memories', '/memories/upload'],
      ...['/stats', '/settings', `/date-ideas/${idea.id}/edit`, `/date-ideas/${idea.id}/plan`],
      ...[`/planned-dates/${done.id}`, `/planned-dates/${planned.id}/edit`, `/planned-dates/${running.id}/complete`],
    ];
  });

  const drawn = 'html[data-drawn]';
  const open = (options: WindowOptions = {}) => here.open({ ...PHONE, ...options });

  it('is seen before its scripts are here, and by those who never get them', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto('/date-ideas');
    await page.getByRole('heading', { name: 'Heads is left' }).waitFor();
  });

  it('comes alive in every screen, and nothing moves', async () => {
    const page = await open();
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
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
      await page.goto(screen);
      const heading = await page.getByRole('heading', { level: 1 }).elementHandle();
      await page.locator(drawn).waitFor({ state: 'detached' });
      // It is the very page that was drawn, not another in its place.
      expect(await heading?.evaluate((element) => element.isConnected), screen).toBe(true);
      expect(await page.evaluate(() => Number(Reflect.get(globalThis, 'moved'))), screen).toBeLessThan(0.1);
    }
    expect(errors).toEqual([]);
  });

  it('shows what can be pressed when it hears, and names what can be filled in', async () => {
    const page = await open();
    let go = () => {};
    const late = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route('**/assets/draw-*.js', async (route) => {
      await late;
      await route.continue();
    });
    await page.goto('/date-ideas');
    await page.getByRole('heading', { name: 'Heads is left' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByLabel('Search').count()).toBe(0);
    go();
    await page.getByLabel('Search').fill('Heads');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').waitFor();
  });

  it('gives way to what the server answers now, be it other, slow or a failure', async () => {
    const page = await open();
    await page.route('**/api/DateIdeas/active', (route) => route.fulfill({ json: [] }));
    await page.goto('/date-ideas');
    await page.getByText('Heads is left').waitFor({ state: 'detached' });
    await page.unrouteAll();
    await answerOnce(page, 'GET /api/DateIdeas/active', { status: 500 });
    await page.goto('/date-ideas');
    await page.getByRole('alert').getByText('Failed to load date ideas. Please try again.').waitFor();
    await page.route('**/api/Stats', () => undefined);
    await page.goto('/dashboard');
    await page.getByText('Loading our love story...').waitFor();
  });

  it('is drawn anew on a device in another zone', async () => {
    const page = await open({ timezoneId: 'Asia/Tokyo' });
    await page.goto('/settings');
    await page.locator(drawn).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada');
    expect(await page.getByLabel('Your name').isEnabled()).toBe(true);
  });
});
