import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoViolations } from '../../support/accessibility.ts';
import { unzip } from '../../support/export-archive.ts';
import { completeDate, planDate } from '../../support/factories.ts';
import { makeJpeg } from '../../support/images.ts';
import { upload } from '../../support/upload.ts';
import { useCouple } from '../../support/use-app.ts';

async function unpack(file: string, folder: string): Promise<void> {
  for (const [name, bytes] of await unzip(file)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}

describe('our export', () => {
  const us = useCouple({ timeZone: 'Europe/Rome' });
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-album-'));
    await us.ada.call('PUT /api/couple', { body: { togetherSince: '2024-03-01' } });
    const lantern = await completeDate(us.ada, {
      idea: { title: 'Lantern walk through the old town', category: 'Romantic' },
      at: '2025-11-14T17:15:00Z',
      minutes: 130,
      location: 'From the cathedral down to the river',
      notes: 'You stopped for every lamp.',
    });
    for (const [seed, size] of [
      [800, 600],
      [500, 700],
      [1200, 500],
    ].entries()) {
      const [width = 0, height = 0] = size;
      await upload(us.ada, await makeJpeg({ seed, width, height }), {
        dateId: lantern.id,
        caption: `Lamp ${seed}\nאחרי הגשם, ב-Milano!`,
        name: 'IMG 1?.jpg',
      });
    }
    await planDate(us.ben, { idea: { title: 'The night train to Vienna', category: 'Adventure' } });
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is downloaded from the settings, and its album opens from disk, without a network', {
    tags: ['screens.words.1', 'keeping.export.1'],
  }, async () => {
    const page = await us.openAs(us.ben);
    await page.goto('/settings');
    const ours = page.getByRole('region', { name: 'Safekeeping' });
    await ours.getByText('No nightly backup is set up on our server.').waitFor();
    await ours.getByText('Every photograph is intact').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      ours.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^our-love-story-[\d-]+\.zip$/);
    const file = join(folder, 'export.zip');
    await download.saveAs(file);
    await unpack(file, folder);

    const album = await us.chromium.open('', { javaScriptEnabled: true, offline: true });
    const requests: string[] = [];
    album.on('request', (request) => requests.push(request.url()));
    await album.goto(pathToFileURL(join(folder, 'album.html')).href);
    await album.getByRole('heading', { level: 1, name: 'Our Love Story' }).waitFor();
    await album.getByText('Ada & Ben, since Friday, March 1, 2024').waitFor();
    const ticket = album.getByRole('article').filter({ hasText: 'Lantern walk' });
    await ticket.getByText('Friday, November 14, 2025').waitFor();
    await ticket.getByText('6:15 PM · 2 hours 10 minutes').waitFor();
    await album.getByRole('heading', { level: 2, name: 'Still to come' }).waitFor();
    const prints = album.getByRole('figure');
    await expect.poll(() => prints.count()).toBe(3);
    for (const image of await prints.getByRole('img').all()) {
      await image.scrollIntoViewIfNeeded();
      await expect
        .poll(() => image.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth))
        .toBeGreaterThan(0);
    }
    const caption = prints.first().getByText('Lamp');
    expect(await caption.innerText()).toBe('Lamp 0\nאחרי הגשם, ב-Milano!');
    expect(await caption.evaluate((words) => getComputedStyle(words).unicodeBidi)).toBe('plaintext');
    await expect.poll(() => album.evaluate(() => document.fonts.check('20px Newsreader'))).toBe(true);
    expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await album.emulateMedia({ colorScheme });
      await expectNoViolations(album);
    }
    await album.setViewportSize({ width: 360, height: 780 });
    await expect.poll(() => album.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    // A print links to the original.
    await prints.first().getByRole('link').click();
    await expect.poll(() => decodeURIComponent(album.url())).toMatch(/photos\/2025-11-14 Lantern walk.*\/IMG 1\.jpg$/);
  });
});
