import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { completeDate } from '../support/factories.ts';
import { makeJpeg } from '../support/images.ts';
import { recordSaid } from '../support/page-steps.ts';
import type { Partner } from '../support/partner.ts';
import { storedRows } from './stored-rows.ts';

/** Adds a completed date for photographs. Returns its id. */
export async function newDate(who: Partner): Promise<string> {
  const idea = { title: 'The whole beach' };
  return (await completeDate(who, { idea, at: '2026-11-20T14:00:00Z', minutes: 60 })).id;
}

/** A file to choose, as Playwright takes it; another seed is another photograph. */
export async function makePhotoFile(name: string, seed = 1) {
  return { name, mimeType: 'image/jpeg', buffer: await makeJpeg({ width: 600, height: 400, seed }) };
}

/** Opens the upload of a date and chooses files. */
export async function chooseFor(
  page: Page,
  dateId: string,
  files: readonly Awaited<ReturnType<typeof makePhotoFile>>[],
) {
  await page.goto(`/memories/upload/${dateId}`);
  await choose(page, files);
}

export async function choose(page: Page, files: readonly Awaited<ReturnType<typeof makePhotoFile>>[]) {
  const isLarge = files.some(({ buffer }) => buffer.length > 1_000_000);
  await page.getByLabel('Choose photos').setInputFiles(isLarge ? await onDisk(files) : [...files]);
}

/** Large files come from the disk: sent through the browser's protocol they take many seconds on a busy machine. */
async function onDisk(files: readonly Awaited<ReturnType<typeof makePhotoFile>>[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chosen-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const paths = files.map(({ name }) => join(folder, name));
  await Promise.all(files.map(({ buffer }, n) => writeFile(paths[n] ?? '', buffer)));
  return paths;
}

/** The button that sends the chosen photographs. */
export const saveButton = (page: Page) => page.getByRole('button', { name: /^Save \d+ Memor/ });

/** Answers a run's uploads one after the other by what the test says; those beyond go to the server. */
export async function routeUploads(
  page: Page,
  ...answers: ((route: Route) => Promise<unknown>)[]
): Promise<() => number> {
  let count = 0;
  await page.route('**/api/Memories', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    count += 1;
    await (answers[count - 1] ?? ((one: Route) => one.continue()))(route);
  });
  return () => count;
}

/**
 * Waits until an upload has succeeded. The page says so for two seconds and then opens the gallery, which may be all that
 * a busy machine shows the test.
 * @param timeout in milliseconds
 */
export async function succeeded(page: Page, timeout = 30_000): Promise<void> {
  const said = page.getByText('Memories Uploaded Successfully!');
  await said.or(page.getByRole('heading', { name: 'Our Memories', level: 1 })).waitFor({ timeout });
}

/** Records what the page says when an upload has succeeded, from its next load on: it is gone after two seconds. */
export function recordSuccess(page: Page): Promise<() => Promise<string>> {
  return recordSaid(page, 'Memories Uploaded Successfully!', 'h1, h2, h3');
}

/** How many memories a date really has, by the server. */
export async function countOf(who: Partner, plannedDateId: string): Promise<number> {
  const { body, status } = await who.call('GET /api/Memories/planned-date/{plannedDateId}', {
    params: { plannedDateId },
  });
  expect(status).toBe(200);
  return body.length;
}

const UNSENT = 'unsent-photographs';

export interface KeptPhoto {
  readonly id: string;
  readonly caption: string;
  readonly dateId: string | null;
  readonly ownDateId: string | null;
  readonly attempt: object | null;
  readonly isStarted?: boolean;
}

/** Returns the photographs in the page's IndexedDB whose bytes are stored, in the order in which they were chosen. */
export async function keptPhotos(page: Page): Promise<KeptPhoto[]> {
  const photos = await storedRows(page, UNSENT, 'photos');
  const files = await storedRows(page, UNSENT, 'files');
  return (photos.values as KeptPhoto[]).filter(({ id }) => files.keys.includes(id));
}

/** The date with which each of these photos is stored. */
export async function keptDateIds(page: Page): Promise<(string | null)[]> {
  return (await keptPhotos(page)).map(({ dateId }) => dateId);
}

/** Whether the page's IndexedDB says that the upload continues on the next visit. */
export async function isRunKept(page: Page): Promise<boolean> {
  return (await keptPhotos(page)).some(({ isStarted }) => isStarted === true);
}
