import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlannedDate } from '../../../src/dates/contract.ts';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { letReactRender, stopClock } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';

describe('the slideshow', () => {
  const us = useCouple();
  let beach: PlannedDate;
  let single: PlannedDate;
  beforeAll(async () => {
    beach = await completeDate(us.ada, { idea: { title: 'The whole beach' }, at: '2026-11-20T14:00:00Z', minutes: 60 });
    single = await completeDate(us.ada, { idea: { title: 'Alone' }, at: '2026-11-19T14:00:00Z', minutes: 60 });
    for (let n = 1; n <= 3; n += 1) await addPhoto(us.ada, beach.id, n, `Photo ${n}`);
    await addPhoto(us.ada, single.id, 9, 'Only one');
  });

  const show = (page: Page) => page.getByRole('dialog', { name: 'Slideshow' });
  const caption = (page: Page) => show(page).locator('.felt').innerText();
  const button = (page: Page, name: string) => show(page).getByRole('button', { name, exact: true });
  const isThere = (page: Page, alt: string) =>
    show(page)
      .locator(`img[alt="${alt}"]`)
      .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);
  const start = async (page: Page, path = `/memories?dateId=${beach.id}`) => {
    await page.goto(path);
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await show(page).waitFor();
  };
  const moving = { reducedMotion: 'no-preference' } as const;

  it('starts a slide’s time when its picture has loaded', { tags: ['memories.slideshow.3'] }, async () => {
    const page = await us.open(moving);
    let answer = () => undefined as void;
    const held = new Promise<void>((done) => {
      answer = done;
    });
    await page.clock.install();
    await page.route('**/image?size=preview', async (route) => {
      await held;
      await route.continue();
    });
    await start(page);
    await expect.poll(() => caption(page)).toBe('Photo 3');
    await page.clock.runFor(30_000);
    expect(await caption(page)).toBe('Photo 3');
    await stopClock(page);
    answer();
    await expect.poll(() => isThere(page, 'Photo 3')).toBe(true);
    await page.clock.runFor(3_000);
    expect(await caption(page)).toBe('Photo 3');
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return caption(page);
      })
      .toBe('Photo 2');
  });

  it('enters and leaves full screen', { tags: ['memories.slideshow.12'] }, async () => {
    const page = await us.open();
    await start(page);
    const full = () => page.evaluate(() => document.fullscreenElement !== null);
    await button(page, 'Full screen').click();
    await expect.poll(full).toBe(true);
    await button(page, 'Leave full screen').click();
    await expect.poll(full).toBe(false);
    expect(await show(page).count()).toBe(1);
  });

  it('shows the caption in serif, the day and the date’s title, and downloads the original', {
    tags: ['memories.slideshow.14'],
  }, async () => {
    const page = await us.open();
    await start(page);
    expect(
      await show(page)
        .locator('.felt')
        .evaluate((one) => getComputedStyle(one).fontFamily),
    ).toMatch(/^"?Newsreader/);
    await show(page)
      .getByText(/\w{3} \d+, 20\d\d · The whole beach/)
      .waitFor();
    const coming = page.waitForEvent('download');
    await show(page).getByRole('link', { name: 'Download' }).click();
    expect((await coming).suggestedFilename()).toBe('photo-3.jpg');
  });

  it('advances by a swipe of more than 50 px', { tags: ['memories.slideshow.9'] }, async () => {
    const page = await us.open({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await start(page);
    await expect.poll(() => caption(page)).toBe('Photo 3');
    const swipe = async (by: number) => {
      await page.mouse.move(200, 300);
      await page.mouse.down();
      await page.mouse.move(200 + by, 310, { steps: 4 });
      await page.mouse.up();
    };
    await swipe(-40);
    await letReactRender(page);
    expect(await caption(page)).toBe('Photo 3');
    await swipe(-60);
    await expect.poll(() => caption(page)).toBe('Photo 2');
    await swipe(60);
    await expect.poll(() => caption(page)).toBe('Photo 3');
  });
});
