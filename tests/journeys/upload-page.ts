import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Partner } from '../support/client.ts';
import { completeDate } from '../support/factories.ts';
import { makeJpeg } from '../support/images.ts';

/** Adds a completed date for photographs. Returns its id. */
export async function newDate(who: Partner): Promise<string> {
  const idea = { title: 'The whole beach' };
  return (await completeDate(who, { idea, at: '2026-11-20T14:00:00Z', minutes: 60 })).id;
}

/** A file to choose, as Playwright takes it; another seed is another photograph. */
export async function photo(name: string, seed = 1) {
  return { name, mimeType: 'image/jpeg', buffer: await makeJpeg({ width: 600, height: 400, seed }) };
}

/** Opens the upload of a date and chooses files. */
export async function chooseFor(page: Page, dateId: string, files: readonly Awaited<ReturnType<typeof photo>>[]) {
  await page.goto(`/memories/upload/${dateId}`);
  await choose(page, files);
}

export async function choose(page: Page, files: readonly Awaited<ReturnType<typeof photo>>[]) {
  const isLarge = files.some(({ buffer }) => buffer.length > 1_000_000);
  await page.getByLabel('Choose photos').setInputFiles(isLarge ? await onDisk(files) : [...files]);
}

/** Large files come from the disk: sent through the browser's protocol they take many seconds on a busy machine. */
async function onDisk(files: readonly Awaited<ReturnType<typeof photo>>[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chosen-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const paths = files.map(({ name }) => join(folder, name));
  await Promise.all(files.map(({ buffer }, n) => writeFile(paths[n] ?? '', buffer)));
  return paths;
}

export const save = (page: Page) => page.getByRole('button', { name: /^Save \d+ Memor/ });

/** Answers a run's uploads one after the other by what the test says; those beyond go to the server. */
export async function answerUploads(
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

/** How many memories a date really has, by the server. */
export async function countOf(who: Partner, plannedDateId: string): Promise<number> {
  const { body, status } = await who.call('GET /api/Memories/planned-date/{plannedDateId}', {
    params: { plannedDateId },
  });
  expect(status).toBe(200);
  return body.length;
}
