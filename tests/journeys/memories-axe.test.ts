import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityIssues } from '../support/accessibility.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { openAs, useChromium } from '../support/browser.ts';
import { registerCouple } from '../support/client.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { addPhoto, completeDate } from '../support/factories.ts';
import { fillGallery } from '../support/fill-gallery.ts';

const LONG = 'The slow Sunday we keep promising each other: '.repeat(10).trim();

/** The gallery, the slideshow, the camera and the trash conform to WCAG 2.2 AA and don't scroll horizontally. */
describe('the photo screens', () => {
  const chromium = useChromium(['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']);
  let app: TestApp;
  let us: Awaited<ReturnType<typeof registerCouple>>;
  const dates: string[] = [];
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { web: true });
    us = await registerCouple(app);
    for (const title of [LONG.slice(0, 200), 'Nothing yet']) {
      dates.push((await completeDate(us.ada, { idea: { title }, at: '2026-11-20T14:00:00Z', minutes: 60 })).id);
    }
    const [long = ''] = dates;
    await addPhoto(us.ada, long, 1, LONG);
    await addPhoto(us.ada, long, 2, 'Donaudampfschifffahrt'.repeat(9));
    await addPhoto(us.ada, long, 3);
    await fillGallery(app.db, app.storage.env.DATA_DIR ?? '', 200);
    const gone = await addPhoto(us.ada, long, 4, LONG);
    await us.ben.call('DELETE /api/Memories/{id}', { params: { id: gone.id } });
  });
  afterAll(() => app.close());

  it.each([
    ['light', 1280],
    ['dark', 360],
    ['dark', 768],
    ['light', 360],
  ] as const)('are accessible (%s, %i pixels)', async (colorScheme, width) => {
    const page = await openAs(chromium, us.ada, { colorScheme, viewport: { width, height: 800 } });
    const found: string[] = [];
    for (const path of ['/memories', '/memories?view=list', `/memories?dateId=${dates[0]}`]) {
      await page.goto(path);
      await page.locator('main li img').first().waitFor();
      found.push(...(await findAccessibilityIssues(page, path)));
    }
    await page.goto(`/memories?dateId=${dates[1]}`);
    await page.getByRole('heading', { name: 'No Memories Yet' }).waitFor();
    found.push(...(await findAccessibilityIssues(page, 'an empty gallery')));
    await page.goto('/memories');
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await page.getByRole('dialog', { name: 'Slideshow' }).getByText('1 / 200').waitFor();
    found.push(...(await findAccessibilityIssues(page, 'slideshow')));
    await page.goto('/memories/upload');
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Capture photo' }).isEnabled()).toBe(true);
    found.push(...(await findAccessibilityIssues(page, 'camera')));
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Put back' }).waitFor();
    found.push(...(await findAccessibilityIssues(page, 'recently deleted')));
    expect(found).toEqual([]);
  });
});
