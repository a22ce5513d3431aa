import type { IncomingMessage } from 'node:http';
import type { Page, Route } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { memoryLimits } from '../../../src/memories/rules.ts';
import { sqliteAndDisk } from '../../support/engines.ts';
import { completeDate } from '../../support/factories.ts';
import { makeJpegOfSize } from '../../support/images.ts';
import { recordSaid } from '../../support/page-steps.ts';
import { registerAda } from '../../support/register-couple.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { createTestStorage } from '../../support/test-storage.ts';
import { useCouple } from '../../support/use-app.ts';
import { chooseFor, countOf, isRunKept, keptPhotos, makePhotoFile, saveButton, succeeded } from '../upload-page.ts';

const PIECE = memoryLimits.partBytes;
const TUS = '**/api/Memories/tus/*';

/** Photographs above 8 MB are sent in parts, and no part that the server has is sent again. */
describe('a large photo', () => {
  const us = useCouple();
  let bytes: Buffer;
  let dateId: string;
  /** The offset and length of each part that reached the server. */
  let pieces: { offset: number; length: number }[] = [];

  const listen = (to: TestApp) =>
    to.fastify.server.prependListener('request', ({ method, headers }: IncomingMessage) => {
      if (method !== 'PATCH') return;
      pieces.push({ offset: Number(headers['upload-offset']), length: Number(headers['content-length']) });
    });
  const storedParts = async () => (await us.app.db.read.selectFrom('pieces').selectAll().execute()).length;
  const sentBytes = () => pieces.reduce((sum, { length }) => sum + length, 0);
  const large = (name = 'sea.jpg') => ({ name, mimeType: 'image/jpeg', buffer: bytes });
  const original = async () => {
    const { body } = await us.ada.call('GET /api/Memories', { query: { plannedDateId: dateId } });
    const headers = { authorization: `Bearer ${us.ada.token}` };
    return Buffer.from(await (await fetch(us.app.url + (body[0]?.imageUrl ?? ''), { headers })).arrayBuffer());
  };

  beforeAll(async () => {
    listen(us.app);
    bytes = await makeJpegOfSize(PIECE + 1_000_000);
  });
  const begin = async (who = us.ada) => {
    ({ id: dateId } = await completeDate(who, { at: '2026-11-20T14:00:00Z', minutes: 60 }));
    return us.openAs(who);
  };
  afterEach(() => {
    pieces = [];
  });

  /** Handles the parts in order by the given handlers; all further ones go to the server. */
  const answerParts = async (page: Page, ...answers: ((route: Route) => Promise<unknown>)[]) => {
    let parts = 0;
    await page.route(TUS, async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback();
      parts += 1;
      await (answers[parts - 1] ?? ((one: Route) => one.continue()))(route);
    });
    return () => parts;
  };
  const pass = (route: Route) => route.continue();
  const abort = (route: Route) => route.abort('connectionreset');

  it('is sent in parts of at most 8 MB, and small photos in one request', async () => {
    const page = await begin();
    await chooseFor(page, dateId, [large(), await makePhotoFile('small.jpg')]);
    await page.getByRole('textbox', { name: 'Caption' }).first().fill('Our sea');
    await saveButton(page).click();
    await succeeded(page);
    expect(pieces.map(({ offset }) => offset)).toEqual([0, PIECE]);
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(PIECE);
    const { body } = await us.ada.call('GET /api/Memories', { query: { plannedDateId: dateId, sort: 'size' } });
    expect(body).toMatchObject([
      { originalFileName: 'sea.jpg', caption: 'Our sea', fileSizeBytes: bytes.length },
      { originalFileName: 'small.jpg', caption: null },
    ]);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /tus/i.test(key)))).toEqual([]);
  });

  it('resumes when the connection breaks between two parts', { tags: ['uploads.sending.12'] }, async () => {
    const page = await begin();
    const said = await recordSaid(page, 'The connection was lost. Trying again in a moment.');
    await answerParts(page, pass, abort);
    await chooseFor(page, dateId, [large()]);
    await saveButton(page).click();
    await succeeded(page);
    expect(await said()).not.toBe('');
    expect(pieces.map(({ offset }) => offset)).toEqual([0, PIECE]);
    expect(sentBytes()).toBe(bytes.length);
    expect(await original()).toEqual(bytes);
  });

  it('is not taken for saved because of a page that a proxy answers with', {
    tags: ['uploads.sending.15'],
  }, async () => {
    const page = await begin();
    const maintenance = (route: Route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body: '<p>Back soon.</p>' });
    await answerParts(page, pass, maintenance);
    let answered = 0;
    await page.route('**/api/Memories', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      answered += 1;
      await (answered === 1 ? maintenance(route) : route.continue());
    });
    await chooseFor(page, dateId, [large(), await makePhotoFile('small.jpg')]);
    await saveButton(page).click();
    await succeeded(page);
    const { body } = await us.ada.call('GET /api/Memories', { query: { plannedDateId: dateId } });
    expect(body.map(({ originalFileName }) => originalFileName).sort()).toEqual(['sea.jpg', 'small.jpg']);
  });

  it('is neither saved nor sent twice if only the last response was lost', async () => {
    const page = await begin();
    const lost = async (route: Route) => {
      await route.fetch();
      await abort(route);
    };
    await answerParts(page, pass, lost);
    await chooseFor(page, dateId, [large()]);
    await saveButton(page).click();
    await succeeded(page);
    expect(sentBytes()).toBe(bytes.length);
    expect(await countOf(us.ada, dateId)).toBe(1);
  });

  it('resumes at the server’s offset after a reload', { tags: ['uploads.sending.12'] }, async () => {
    const page = await begin();
    const parts = await answerParts(page, pass, () => new Promise(() => undefined));
    await chooseFor(page, dateId, [large()]);
    await saveButton(page).click();
    await expect.poll(parts).toBe(2);
    // What the next page continues with is stored before this one is left.
    await expect.poll(async () => (await keptPhotos(page)).length).toBe(1);
    await expect.poll(() => isRunKept(page)).toBe(true);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto('/memories/upload');
    await succeeded(page);
    expect(pieces.map(({ offset }) => offset)).toEqual([0, PIECE]);
    expect(await original()).toEqual(bytes);
  });

  it('resumes with the new session after signing in again', { tags: ['uploads.sending.12'] }, async () => {
    const user = await registerAda(us.app, `somebody-${Date.now()}@example.org`);
    const page = await begin(user);
    // The page also learns of the end of its session from its event stream, and might leave before the part is refused.
    await page.route('**/api/events', (route) => route.abort());
    await answerParts(page, pass, async (route) => {
      await user.call('POST /api/auth/logout');
      await route.continue();
    });
    await chooseFor(page, dateId, [large()]);
    await saveButton(page).click();
    await page.waitForURL(/\/auth\/login\?returnUrl=/);
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`**/memories?dateId=${dateId}`);
    await page.getByText('1 memory found').waitFor();
    // Only the part that was refused with the old session was sent twice.
    expect(pieces.map(({ offset }) => offset)).toEqual([0, PIECE, PIECE]);
  });

  it('keeps its progress while we are offline, and then resumes', async () => {
    const page = await begin();
    await answerParts(page, pass, async (route) => {
      await page.context().setOffline(true);
      await route.abort('internetdisconnected');
    });
    await chooseFor(page, dateId, [large()]);
    await saveButton(page).click();
    await page.getByText('We are offline. The upload continues when the connection is back.').waitFor();
    // The progress after one part, with the cap of 90.
    const reached = Math.floor((90 * PIECE) / bytes.length);
    const bar = page.getByRole('progressbar', { name: 'Upload', exact: true });
    await expect.poll(() => bar.evaluate(({ value }: HTMLProgressElement) => value)).toBeGreaterThanOrEqual(reached);
    await page.context().setOffline(false);
    await succeeded(page, 40_000);
    expect(sentBytes()).toBe(bytes.length);
  });

  it('is terminated on the server when it is removed or its caption changes', {
    tags: ['uploads.sending.13'],
  }, async () => {
    const page = await begin();
    const before = await storedParts();
    const givenUp: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'DELETE') givenUp.push(response.status());
    });
    const stopHalfway = async () => {
      const parts = await answerParts(page, pass, () => new Promise(() => undefined));
      await saveButton(page).click();
      await expect.poll(parts).toBe(2);
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.waitForURL('**/memories');
      // Until that is stored, the next page would continue by itself.
      await expect.poll(() => isRunKept(page)).toBe(false);
      await page.unrouteAll();
      await page.goto('/memories/upload');
      await page.getByRole('button', { name: 'Restore' }).click();
    };
    await chooseFor(page, dateId, [large()]);
    await stopHalfway();
    // It can be resumed, so the upload is not terminated yet.
    expect(givenUp).toEqual([]);
    await page.getByRole('textbox', { name: 'Caption' }).fill('Our sea');
    await stopHalfway();
    await expect.poll(() => givenUp).toEqual([204]);
    await page.getByRole('button', { name: 'Remove sea.jpg' }).click();
    await expect.poll(() => givenUp).toEqual([204, 204]);
    await expect.poll(storedParts).toBe(before);
  });

  it('shows why the server refused it, and starts over on retry', async () => {
    const page = await begin();
    const broken = { ...large('broken.jpg'), buffer: bytes.subarray(0, -500) };
    await chooseFor(page, dateId, [broken]);
    await saveButton(page).click();
    await page.getByText('This photograph is broken or incomplete, and cannot be shown.').waitFor();
    expect(await countOf(us.ada, dateId)).toBe(0);
    pieces = [];
    await page.getByRole('button', { name: 'Retry Failed Uploads' }).click();
    await expect.poll(sentBytes).toBe(broken.buffer.length);
    await page.getByText('This photograph is broken or incomplete, and cannot be shown.').waitFor();
  });

  it('says that the device no longer has the file', { tags: ['uploads.sending.14'] }, async () => {
    const page = await begin();
    await answerParts(page, pass, async (route) => {
      // A file that was removed from a phone can no longer be read, and so not be sent.
      await page.evaluate(() => {
        Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('Gone', 'NotFoundError'));
      });
      await abort(route);
    });
    await chooseFor(page, dateId, [large()]);
    await saveButton(page).click();
    await page.getByText('This photograph can no longer be read on this device.').waitFor();
  });

  it('leaves nothing on the device after signing out', { tags: ['uploads.sending.14'] }, async () => {
    const user = await registerAda(us.app, `leaving-${Date.now()}@example.org`);
    const page = await begin(user);
    const parts = await answerParts(page, pass, abort, abort, abort, abort, abort, abort);
    await chooseFor(page, dateId, [large()]);
    await saveButton(page).click();
    await expect.poll(parts).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/memories');
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Sign out' }).last().click();
    await page.waitForURL(/\/(auth\/)?login/);
    await expect
      .poll(() => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)))
      .not.toContain('unsent-photographs');
  });

  it('resumes after a server restart', { tags: ['uploads.sending.12'] }, async () => {
    const storage = await createTestStorage(sqliteAndDisk);
    const first = await startTestApp(sqliteAndDisk, { storage, web: true });
    listen(first);
    const env = { PORT: new URL(first.url).port };
    const who = await registerAda(first, 'patient@example.org');
    const page = await begin(who);
    let second: TestApp | undefined;
    await answerParts(page, pass, async (route) => {
      await first.close();
      await abort(route);
      second = await startTestApp(sqliteAndDisk, { storage, web: true, env });
      listen(second);
    });
    await chooseFor(page, dateId, [large()]);
    await saveButton(page).click();
    // The page waits up to 15 seconds between two attempts, and a busy machine takes some to start a server.
    await succeeded(page, 60_000);
    expect(sentBytes()).toBe(bytes.length);
    expect(await countOf(who, dateId)).toBe(1);
    await second?.close();
    await storage.remove();
  });
});
