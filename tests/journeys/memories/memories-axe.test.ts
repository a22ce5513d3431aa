import { beforeAll, describe, expect, it } from 'vitest';
import { findIssuesAtEverySize } from '../../support/accessibility.ts';
import { FAKE_CAMERA } from '../../support/chromium.ts';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { fillGallery } from '../../support/fill-gallery.ts';
import { useCouple } from '../../support/use-app.ts';

const LONG = 'The slow Sunday we keep promising each other: '.repeat(10).trim();

const ofDate = (id: string) => `/memories?dateId=${id}`;

/** The gallery, the slideshow, the camera and the trash conform to WCAG 2.2 AA and don't scroll horizontally. */
describe('the photo screens', () => {
  const us = useCouple({ args: FAKE_CAMERA });
  const dates: string[] = [];
  beforeAll(async () => {
    for (const title of [LONG.slice(0, 200), 'Nothing yet', 'W'.repeat(200)]) {
      dates.push((await completeDate(us.ada, { idea: { title }, at: '2026-11-20T14:00:00Z', minutes: 60 })).id);
    }
    const [long = '', , unbroken = ''] = dates;
    await addPhoto(us.ada, unbroken, 5);
    await addPhoto(us.ada, long, 1, LONG);
    await addPhoto(us.ada, long, 2, 'Donaudampfschifffahrt'.repeat(9));
    await addPhoto(us.ada, long, 3);
    await fillGallery(us.app.db, us.app.storage.env.DATA_DIR ?? '', 200);
    const gone = await addPhoto(us.ada, long, 4, LONG);
    await us.ben.call('DELETE /api/Memories/{id}', { params: { id: gone.id } });
  });

  it('are accessible on a phone, a tablet and a desktop', { tags: ['memories.gallery.18'] }, async () => {
    const page = await us.open();
    const found: string[] = [];
    for (const path of ['/memories', '/memories?view=list', ...dates.toSpliced(1, 1).map(ofDate)]) {
      await page.goto(path);
      await page.locator('main li img').first().waitFor();
      found.push(...(await findIssuesAtEverySize(page, path)));
    }
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    const words = page.getByRole('dialog', { name: 'Slideshow' }).getByText('WWW');
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const { x = -1, width: wide = 0 } = (await words.boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + wide).toBeLessThanOrEqual(width);
    }
    await page.goto(ofDate(dates[1] ?? ''));
    await page.getByRole('heading', { name: 'No Memories Yet' }).waitFor();
    found.push(...(await findIssuesAtEverySize(page, 'an empty gallery')));
    await page.goto('/memories');
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await page.getByRole('dialog', { name: 'Slideshow' }).getByText('1 / 200').waitFor();
    found.push(...(await findIssuesAtEverySize(page, 'slideshow')));
    await page.goto('/memories/upload');
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Capture photo' }).isEnabled()).toBe(true);
    found.push(...(await findIssuesAtEverySize(page, 'camera')));
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Put back' }).waitFor();
    found.push(...(await findIssuesAtEverySize(page, 'recently deleted')));
    expect(found).toEqual([]);
  });
});
