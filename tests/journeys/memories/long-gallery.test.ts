import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { fillGallery } from '../../support/fill-gallery.ts';
import { countRequests, gotoLive } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { PHONE, type WindowOptions } from '../../support/use-chromium.ts';

/** Three thousand memories of ten years: 25 a month. */
const COUNT = 3_000;

describe('a long gallery', () => {
  const us = useCouple();
  let dateId: string;
  beforeAll(async () => {
    dateId = (await completeDate(us.ada, { at: '2026-11-20T14:00:00Z', minutes: 60 })).id;
    for (let n = 1; n <= 6; n += 1) await addPhoto(us.ada, dateId, n);
    await fillGallery(us.app.db, us.app.storage.env.DATA_DIR ?? '', COUNT);
  });

  const open = async (path = '/memories', options: WindowOptions = {}) => {
    const page = await us.open(options);
    await gotoLive(page, path);
    await page.getByText(/\d+ memories found/).waitFor();
    return page;
  };
  /** Waits for the first fully visible photograph, and returns its URL and position. */
  const seen = async (page: Page) => {
    const look = () =>
      page.evaluate(() => {
        for (const image of document.querySelectorAll<HTMLImageElement>('main li img')) {
          const { top, bottom } = image.getBoundingClientRect();
          const shown = image.complete && image.naturalWidth > 0;
          if (top > 0 && bottom < innerHeight) return shown ? { src: image.src, top: Math.round(top) } : null;
        }
        return null;
      });
    let found: Awaited<ReturnType<typeof look>> = null;
    await expect.poll(async () => (found = await look())).not.toBeNull();
    return found as unknown as { src: string; top: number };
  };
  const tiles = (page: Page) => page.locator('main li').count();
  const scrollTo = (page: Page, part: number) =>
    page.evaluate((to) => window.scrollTo(0, document.documentElement.scrollHeight * to), part);
  const jump = (page: Page) => page.getByRole('combobox', { name: 'Jump to month' });
  const jumpTo = async (page: Page, index: number) => {
    const month = (await jump(page).locator('option').nth(index).innerText()).trim();
    await jump(page).selectOption({ index });
    return month;
  };
  /** Scrolls with the wheel, and waits until the scrolling, which may be animated, has ended. */
  const wheel = async (page: Page, x: number, by: number) => {
    const ended = page.evaluate(
      () => new Promise<void>((done) => addEventListener('scrollend', () => done(), { once: true })),
    );
    await page.mouse.move(x, 400);
    await page.mouse.wheel(0, by);
    await ended;
  };
  const headingTop = async (page: Page, name: string) =>
    (await page.getByRole('heading', { level: 2, name }).boundingBox())?.y ?? Number.NaN;

  it.each([
    ['list', { width: 360, height: 780 }],
    ['grid', { width: 1440, height: 2560 }],
  ])(
    'scrolls anywhere as a %s at %o, with few tiles and few requests',
    { tags: ['memories.gallery.13'] },
    async (view, viewport) => {
      const page = await open(`/memories?view=${view}`, { viewport });
      const requests = countRequests(page, '/api/Memories?');
      for (const part of [0.5, 0.98, 0.1]) {
        await scrollTo(page, part);
        await seen(page);
        expect(await tiles(page)).toBeLessThanOrEqual(150);
      }
      expect(requests()).toBeLessThanOrEqual(12);
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await expect.poll(() => page.getByRole('button', { name: /^View/ }).last().isVisible()).toBe(true);
    },
  );

  it('knows its height before it is loaded', { tags: ['memories.gallery.13'] }, async () => {
    const page = await open();
    await seen(page);
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    const first = await height();
    for (const part of [0.2, 0.4, 0.6, 0.8]) {
      await scrollTo(page, part);
      await seen(page);
    }
    await expect.poll(async () => Math.abs((await height()) / first - 1)).toBeLessThan(0.1);
  });

  it('scrolls anywhere sorted by size, largest first', async () => {
    const page = await open('/memories?sort=size&view=list', { viewport: { width: 390, height: 844 } });
    expect(await jump(page).count()).toBe(0);
    const size = async () => /· (\d[\d.]* \w+)/.exec(await page.getByText(/· \d/).first().innerText())?.[1];
    await seen(page);
    await expect.poll(size).toMatch(/KB$/);
    await scrollTo(page, 0.97);
    await seen(page);
    await expect.poll(size).toMatch(/bytes$/);
  });

  it('jumps to a month, and names the visible one', { tags: ['memories.gallery.14'] }, async () => {
    const page = await open('/memories?sort=date-asc', PHONE);
    for (const index of [60, 3, 117]) {
      const month = await jumpTo(page, index);
      await seen(page);
      await expect.poll(() => headingTop(page, month)).toBeLessThan(780 / 3);
      await expect.poll(() => headingTop(page, month)).toBeGreaterThan(-60);
      await expect.poll(() => jump(page).locator('option:checked').innerText()).toBe(month);
    }
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect.poll(() => jump(page).evaluate((select: HTMLSelectElement) => select.selectedIndex)).toBe(0);
  });

  it('jumps to a month by keyboard', { tags: ['memories.gallery.14'] }, async () => {
    const page = await open();
    await jump(page).focus();
    await page.keyboard.press('End');
    const last = (await jump(page).locator('option').last().innerText()).trim();
    await expect.poll(() => page.getByRole('heading', { level: 2, name: last }).isVisible()).toBe(true);
    await expect.poll(() => jump(page).evaluate((select) => select === document.activeElement)).toBe(true);
  });

  it('keeps its scroll position after going back, a reload and the slideshow', {
    tags: ['memories.gallery.15'],
  }, async () => {
    const page = await open('/memories', PHONE);
    await jumpTo(page, 70);
    await seen(page);
    await wheel(page, 200, 500);
    await expect
      .poll(() => page.evaluate(() => (history.state as { gallery?: { spot?: { by: number } } }).gallery?.spot?.by))
      .toBeGreaterThan(300);
    const before = await seen(page);
    const same = async () => {
      const { src, top } = await seen(page);
      return { src, near: Math.abs(top - before.top) <= 2 };
    };
    const there = { src: before.src, near: true };
    await page.evaluate(() => document.querySelector<HTMLElement>('nav a[href="/stats"]')?.click());
    await page.getByRole('heading', { level: 1, name: /Our Love Story/ }).waitFor();
    await page.goBack();
    await expect.poll(same).toEqual(there);
    await page.reload();
    await expect.poll(same).toEqual(there);
    await page.getByRole('button', { name: /^View/ }).nth(10).click();
    await page.getByRole('dialog', { name: 'Slideshow' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(same).toEqual(there);
  });

  it('keeps its scroll position while the partner adds and deletes', { tags: ['memories.gallery.16'] }, async () => {
    const page = await open();
    const month = await jumpTo(page, 1);
    await expect.poll(() => headingTop(page, month)).toBeLessThan(800 / 3);
    await seen(page);
    await wheel(page, 600, 200);
    await expect.poll(() => headingTop(page, month)).toBeLessThan(0);
    const before = await seen(page);
    const same = async () => {
      const { src, top } = await seen(page);
      return [src, Math.abs(top - before.top) <= 2];
    };
    const added = await addPhoto(us.ben, dateId, 700, 'Just now');
    await page.getByText(`${COUNT + 1} memories found`).waitFor();
    await expect.poll(same).toEqual([before.src, true]);
    await us.ben.call('DELETE /api/Memories/{id}', { params: { id: added.id } });
    await page.getByText(`${COUNT} memories found`).waitFor();
    await expect.poll(same).toEqual([before.src, true]);
  });

  it('reports a failed page, and retries it', { tags: ['memories.gallery.3'] }, async () => {
    const page = await open();
    await page.route('**/api/Memories?*', (route) => route.abort());
    await scrollTo(page, 0.5);
    await page.getByText('Failed to load memories. Please try again.').waitFor();
    await page.unroute('**/api/Memories?*');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await seen(page);
    await expect.poll(() => page.getByText('Failed to load memories').count()).toBe(0);
  });
});
