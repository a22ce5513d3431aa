import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/base/time.ts';
import type { PlannedDate } from '../../../src/dates/contract.ts';
import { stopClock } from '../../support/browser.ts';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

describe('a playing slideshow', () => {
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
  /** Whether the slide's time has begun: with it, the blurred background of its picture is gone. */
  const hasBegun = (page: Page, alt: string) =>
    show(page)
      .locator(`img[alt="${alt}"]`)
      .evaluate((image: HTMLImageElement) => image.style.backgroundImage === '');
  const start = async (page: Page, path = `/memories?dateId=${beach.id}`) => {
    await page.goto(path);
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await show(page).waitFor();
  };
  const moving = { reducedMotion: 'no-preference' } as const;

  it('advances after four seconds, and not before', { tags: ['memories.slideshow.3'] }, async () => {
    const page = await us.open(moving);
    await page.clock.install();
    await page.goto(`/memories?dateId=${beach.id}`);
    await page.getByRole('button', { name: 'View: Photo 3', exact: true }).waitFor();
    // From here only the test advances the page's clock, so the slide stays until its picture has loaded.
    await page.clock.pauseAt(Date.now() + MINUTE);
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await expect.poll(() => hasBegun(page, 'Photo 3')).toBe(true);
    // Playing again starts the slide's time again, at this moment of the page's clock.
    await button(page, 'Pause').click();
    await button(page, 'Play').click();
    await button(page, 'Pause').waitFor();
    await page.clock.runFor(3_900);
    expect(await caption(page)).toBe('Photo 3');
    await page.clock.runFor(200);
    await expect.poll(() => caption(page)).toBe('Photo 2');
  });

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

  it('does not play with a single memory', { tags: ['memories.slideshow.2'] }, async () => {
    const page = await us.open(moving);
    await start(page, `/memories?dateId=${single.id}`);
    await expect.poll(() => caption(page)).toBe('Only one');
    for (const name of ['Play', 'Previous', 'Next']) expect(await button(page, name).isDisabled()).toBe(true);
    await page.keyboard.press('ArrowRight');
    expect(await caption(page)).toBe('Only one');
  });

  it('keeps the screen awake only while it plays', { tags: ['memories.slideshow.13'] }, async () => {
    const page = await us.open(moving);
    await page.addInitScript(() => {
      const locks = { held: 0 };
      const request = async () => {
        locks.held += 1;
        return { release: async () => void (locks.held -= 1) };
      };
      Object.defineProperty(navigator, 'wakeLock', { value: { request } });
      Object.assign(globalThis, { locks });
    });
    const held = () => page.evaluate(() => (globalThis as unknown as { locks: { held: number } }).locks.held);
    await start(page);
    await expect.poll(held).toBe(1);
    await button(page, 'Pause').click();
    await expect.poll(held).toBe(0);
    await button(page, 'Play').click();
    await expect.poll(held).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(held).toBe(0);
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

  it('closes with its button, and restores the focus', { tags: ['memories.slideshow.6'] }, async () => {
    const page = await us.open();
    await page.goto(`/memories?dateId=${beach.id}`);
    const view = page.getByRole('button', { name: 'View: Photo 2', exact: true });
    await view.click();
    await button(page, 'Close').click();
    await expect.poll(() => show(page).count()).toBe(0);
    await expect.poll(() => view.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('continues when the partner deletes, and closes when nothing is left', {
    tags: ['memories.slideshow.7'],
  }, async () => {
    const date = await completeDate(us.ada, { idea: { title: 'Short' }, at: '2026-11-18T14:00:00Z', minutes: 60 });
    const [first, second] = [
      await addPhoto(us.ada, date.id, 21, 'First'),
      await addPhoto(us.ada, date.id, 22, 'Second'),
    ];
    const page = await us.open();
    // A change before the page is connected to the live changes would not reach it.
    const connected = page.waitForResponse('**/api/events');
    await start(page, `/memories?dateId=${date.id}`);
    await connected;
    await expect.poll(() => caption(page)).toBe('Second');
    await us.ben.call('DELETE /api/Memories/{id}', { params: { id: second.id } });
    await expect.poll(() => caption(page)).toBe('First');
    await show(page).getByText('1 / 1').waitFor();
    await us.ben.call('DELETE /api/Memories/{id}', { params: { id: first.id } });
    await expect.poll(() => show(page).count()).toBe(0);
    await page.getByText('No memories found for this date.').waitFor();
  });

  it('shows a heart for a picture that does not load, and continues', { tags: ['memories.slideshow.15'] }, async () => {
    const page = await us.open(moving);
    await page.route('**/image?size=preview', (route) => route.fulfill({ status: 503 }));
    await page.clock.install();
    await start(page);
    await show(page).getByRole('img', { name: 'Photo 3' }).waitFor();
    await expect
      .poll(async () => {
        await page.clock.runFor(4_000);
        return caption(page);
      })
      .not.toBe('Photo 3');
  });
});
