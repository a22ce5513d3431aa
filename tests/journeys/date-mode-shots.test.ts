import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { FAKE_CAMERA, gotoLive, PHONE } from '../support/browser.ts';
import { type Partner, registerCouple } from '../support/client.ts';
import { startDate } from '../support/factories.ts';
import { useApp } from '../support/use-app.ts';
import { keptPhotos } from './upload-page.ts';

const HOUR = 3_600_000;

/** The photographs of date mode: each is sent once, and none is lost (contract 6). */
describe('photographs of date mode', () => {
  const here = useApp({ args: FAKE_CAMERA });

  const outTogether = async () => {
    const couple = await registerCouple(here.app);
    const date = await startDate(couple.ada, { idea: { title: 'Lantern walk' }, at: Date.now() - HOUR });
    return { ...couple, date, path: `/planned-dates/${date.id}/now` };
  };
  const takePhoto = async (page: Page, count = 1) => {
    await page.getByRole('button', { name: 'Take Photo', exact: true }).click();
    for (let taken = 1; taken <= count; taken += 1) {
      await page.getByRole('button', { name: 'Capture photo' }).click();
      await page.getByText(`${taken} captured`).waitFor();
    }
    await page.getByRole('button', { name: 'Close camera' }).click();
  };
  const albumOf = async (who: Partner, plannedDateId: string) =>
    (await who.call('GET /api/Memories', { query: { plannedDateId } })).body;
  const unsent = (page: Page) => page.getByRole('img', { name: /^A photograph (on its way|that waits)/ });

  /** Holds uploads of all tabs until `release`, and counts them. `before` runs when the server has answered. */
  const holdUploads = async (context: BrowserContext, before: () => Promise<unknown> = async () => undefined) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let count = 0;
    await context.route('**/api/Memories', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      count += 1;
      await promise;
      const response = await route.fetch();
      await before();
      await route.fulfill({ response });
    });
    return { release: resolve, count: () => count };
  };

  it('are sent once if two tabs have them', async () => {
    const { ada, date, path } = await outTogether();
    const first = await here.openAs(ada, PHONE);
    const uploads = await holdUploads(first.context());
    await gotoLive(first, path);
    await takePhoto(first, 2);
    const second = await first.context().newPage();
    // Both tabs may take the same picture, which the album would keep once.
    await second.addInitScript(() => {
      const draw = CanvasRenderingContext2D.prototype.drawImage as (...args: unknown[]) => void;
      CanvasRenderingContext2D.prototype.drawImage = function (...args: unknown[]) {
        draw.apply(this, args);
        this.fillRect(0, 0, 80, 80);
      };
    });
    await gotoLive(second, path);
    for (const page of [first, second]) await expect.poll(() => unsent(page).count()).toBe(2);
    // Each tab also has the photographs of the other.
    await takePhoto(second);
    await expect.poll(async () => (await keptPhotos(first)).length).toBe(3);
    uploads.release();
    for (const page of [first, second]) {
      await page.getByText('3 so far').waitFor();
      await expect.poll(() => unsent(page).count()).toBe(0);
    }
    expect(await albumOf(ada, date.id)).toHaveLength(3);
    expect(uploads.count()).toBe(3);
  });

  it('do not come back if they are deleted from the album before another tab looks', async () => {
    const { ada, ben, date, path } = await outTogether();
    const first = await here.openAs(ada, PHONE);
    const uploads = await holdUploads(first.context(), async () => {
      for (const { id } of await albumOf(ben, date.id)) await ben.call('DELETE /api/Memories/{id}', { params: { id } });
    });
    await gotoLive(first, path);
    await takePhoto(first);
    const second = await first.context().newPage();
    await gotoLive(second, path);
    await expect.poll(() => unsent(second).count()).toBe(1);
    uploads.release();
    for (const page of [first, second]) await page.getByText('None yet.').waitFor();
    expect(await albumOf(ada, date.id)).toEqual([]);
    expect(uploads.count()).toBe(1);
  });
});
