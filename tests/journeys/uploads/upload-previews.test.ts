import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useCouple } from '../../support/use-app.ts';
import { choose, makePhotoFile } from '../upload-page.ts';

describe('the previews of selected photos', () => {
  const us = useCouple();

  /** Replaces the script of the page's first `count` preview workers. Returns how many were replaced so far. */
  async function breakWorkers(page: Page, count: number, script: string | null): Promise<() => number> {
    let broken = 0;
    await page.route(/preview-worker/, (route) => {
      if (broken >= count) return route.fallback();
      broken += 1;
      return script === null ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: script });
    });
    return () => broken;
  }
  const chooseFive = async (page: Page) => {
    await page.goto('/memories/upload');
    await choose(page, await Promise.all([1, 2, 3, 4, 5].map((n) => makePhotoFile(`${n}.jpg`))));
    await page.getByRole('heading', { name: '5 photos selected' }).waitFor();
  };
  const shown = (page: Page) =>
    page
      .getByRole('listitem')
      .locator('img')
      .evaluateAll((all) => all.filter((img) => (img as HTMLImageElement).naturalWidth > 0).length);

  it.each([
    ['can’t be loaded', null],
    ['dies at work', 'addEventListener("message", () => setTimeout(() => { throw new Error("too much"); }));'],
  ])('are missing only for the file whose worker %s', { tags: ['uploads.choosing.4'] }, async (_, script) => {
    const page = await us.open();
    const broken = await breakWorkers(page, 1, script);
    await chooseFive(page);
    await expect.poll(() => shown(page)).toBe(4);
    expect(broken()).toBe(1);
    expect(await page.getByRole('textbox', { name: 'Caption' }).count()).toBe(5);
  });
});
