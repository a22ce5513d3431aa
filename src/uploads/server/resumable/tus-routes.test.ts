import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../../tests/support/event-stream.ts';
import { planDateId } from '../../../../tests/support/factories.ts';
import { makeHalfJpeg, makeJpeg, makeJpegOfSize } from '../../../../tests/support/images.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import {
  createUpload,
  readUploadStatus,
  sendInParts,
  sendPart,
  TUS,
  uploadIdOf,
} from '../../../../tests/support/tus.ts';
import { upload } from '../../../../tests/support/upload.ts';
import type { CallName } from '../../../base/call.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { openFiles } from '../../../base/server/files/open.ts';
import { readConfig } from '../../../base/server/process/config.ts';
import { memoryLimits } from '../../../memories/rules.ts';
import { PreviewMaker } from '../../../memories/server/pictures/preview-maker.ts';
import { finishUpload } from './finish-upload.ts';
import { storePart } from './upload-parts.ts';
import { findUpload, uploadLease } from './upload-store.ts';

const DAY = 86_400_000;
const MB = 1024 * 1024;
let seed = 500;
/** Returns a photo that no other test uses. */
const newPhoto = () => makeJpeg({ seed: (seed += 1), width: 320, height: 240 });

describeOnBoth('resumable uploads', (engine) => {
  let app: TestApp;
  let files: Files;
  let ada: Partner;
  let ben: Partner;
  let dateId: string;
  /** The offset of the server's clock in milliseconds. */
  let ahead = 0;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => Date.now() + ahead });
    files = await openFiles(readConfig(app.storage.env));
    ({ ada, ben } = await registerCouple(app, 'Europe/Rome'));
    dateId = await planDateId(ada);
  });
  afterAll(() => app.close());

  const memories = async (of = dateId) => (await ada.call('GET /api/Memories', { query: { plannedDateId: of } })).body;
  const bytesOf = async (path: string) => {
    const answer = await fetch(app.url + path, { headers: { authorization: `Bearer ${ada.token}` } });
    return Buffer.from(await answer.arrayBuffer());
  };
  /** Returns the names of the stored parts, and their rows. */
  const pieces = async () => ({
    files: (await Array.fromAsync(files.list())).filter((name) => name.endsWith('.piece')),
    rows: await app.db.read.selectFrom('pieces').selectAll().execute(),
  });

  it('save a photo like one uploaded as a form', { tags: ['uploads.parts.1'] }, async () => {
    const photo = await makeJpeg({ width: 900, height: 600, takenAt: '2026:07:04 21:30:15', seed: 500 });
    const dateId = await planDateId(ada);
    const before = await pieces();
    const heard = await subscribeToEvents(ben);
    const begun = await createUpload(ada, photo.length, { dateId, caption: ' By the sea ', name: 'DSC é.JPG' });
    expect(begun.status).toBe(201);
    const id = uploadIdOf(begun);
    expect(begun.headers.get('location')).toBe(`/api/Memories/tus/${id}`);
    expect(await readUploadStatus(ada, id)).toEqual({ status: 200, offset: 0, memory: null });
    const half = await sendPart(ada, id, 0, photo.subarray(0, 5000));
    expect([half.status, half.headers.get('upload-offset')]).toEqual([204, '5000']);
    expect(await memories(dateId)).toEqual([]);
    const last = await sendPart(ada, id, 5000, photo.subarray(5000));
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, `${photo.length}`]);
    const [memory] = await memories(dateId);
    expect(last.headers.get('content-location')).toBe(`/api/Memories/${memory?.id}`);
    expect(memory).toMatchObject({
      plannedDateId: dateId,
      caption: 'By the sea',
      originalFileName: 'DSC é.JPG',
      fileSizeBytes: photo.length,
      takenAt: '2026-07-04T19:30:15.000Z',
    });
    expect(await bytesOf(memory?.imageUrl ?? '')).toEqual(photo);
    expect(await heard.next()).toMatchObject({ entity: 'memory', id: memory?.id, action: 'created', by: ada.user.id });
    heard.close();
    expect(await readUploadStatus(ada, id)).toEqual({ status: 200, offset: photo.length, memory: memory?.id });
    expect(await pieces()).toEqual(before);
  });

  it('can be continued by either partner', async () => {
    const photo = await newPhoto();
    const id = uploadIdOf(await createUpload(ada, photo.length, { dateId }));
    await sendPart(ada, id, 0, photo.subarray(0, 100));
    expect((await sendPart(ben, id, 100, photo.subarray(100))).status).toBe(204);
  });

  it('repeat a lost last response, and save nothing twice', { tags: ['uploads.parts.4'] }, async () => {
    const photo = await newPhoto();
    const other = await planDateId(ada);
    const id = uploadIdOf(await createUpload(ada, photo.length, { dateId: other }));
    await sendPart(ada, id, 0, photo);
    const { memory } = await readUploadStatus(ada, id);
    const again = await sendPart(ada, id, photo.length, Buffer.alloc(0));
    expect([again.status, again.headers.get('content-location')]).toEqual([204, `/api/Memories/${memory}`]);
    expect(await memories(other)).toHaveLength(1);
  });

  it('accept no part twice or out of order', { tags: ['uploads.parts.2'] }, async () => {
    const photo = await newPhoto();
    const id = uploadIdOf(await createUpload(ada, photo.length, { dateId }));
    await sendPart(ada, id, 0, photo.subarray(0, 100));
    for (const offset of [0, 200]) {
      const { status, problem, headers } = await sendPart(ada, id, offset, photo.subarray(offset, offset + 100));
      expect([status, problem.status, headers.get('retry-after')]).toEqual([409, 409, '1']);
    }
    expect(await readUploadStatus(ada, id)).toMatchObject({ offset: 100 });
    expect((await sendPart(ada, id, 100, photo.subarray(100))).status).toBe(204);
  });

  it('accept one of two identical concurrent parts, and save the photo intact', async () => {
    const photo = await newPhoto();
    const other = await planDateId(ada);
    const id = uploadIdOf(await createUpload(ada, photo.length, { dateId: other }));
    const both = await Promise.all([0, 1].map(() => sendPart(ada, id, 0, photo.subarray(0, 3000))));
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 409]);
    await sendPart(ada, id, 3000, photo.subarray(3000));
    const [memory] = await memories(other);
    expect(await bytesOf(memory?.imageUrl ?? '')).toEqual(photo);
  });

  /** Sends the start of a part. Returns the request, with which the test can break the connection. */
  const startPart = (id: string, photo: Buffer, until: number) => {
    const headers = {
      ...TUS,
      authorization: `Bearer ${ada.token}`,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': photo.length,
    };
    const sending = request(`${app.url}/api/Memories/tus/${id}`, { method: 'PATCH', headers });
    sending.on('error', () => undefined);
    sending.write(photo.subarray(0, until));
    return sending;
  };

  /** Waits until the server has written so many bytes of a part. */
  const waitUntilWritten = async (bytes: number) => {
    const { files } = await depsOf(app);
    // Its upload may have finished since.
    const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size;
    const sizes = async () => (await files.leftovers()).map(({ path }) => sizeOf(path));
    await expect.poll(sizes).toContain(bytes);
  };

  it('keep the bytes received before a connection broke', { tags: ['uploads.parts.2'] }, async () => {
    const photo = await makeJpeg({ seed: 501, width: 1600, height: 1200 });
    const other = await planDateId(ada);
    const id = uploadIdOf(await createUpload(ada, photo.length, { dateId: other }));
    const sending = startPart(id, photo, 10_000);
    await waitUntilWritten(10_000);
    sending.destroy();
    await expect.poll(async () => (await readUploadStatus(ada, id)).offset).toBe(10_000);
    expect((await sendPart(ada, id, 10_000, photo.subarray(10_000))).status).toBe(204);
    expect(await bytesOf((await memories(other))[0]?.imageUrl ?? '')).toEqual(photo);
  });

  it('do not wait for an idle connection', { tags: ['uploads.parts.3'] }, async () => {
    const photo = await makeJpeg({ seed: 502, width: 1600, height: 1200 });
    const id = uploadIdOf(await createUpload(ada, photo.length, { dateId }));
    const sending = startPart(id, photo, 10_000);
    await waitUntilWritten(10_000);
    expect(await readUploadStatus(ada, id)).toEqual({ status: 200, offset: 10_000, memory: null });
    sending.destroy();
  });

  describe('with an Idempotency-Key', () => {
    it('continue the started upload, and save nothing twice', { tags: ['uploads.parts.4'] }, async () => {
      const photo = await newPhoto();
      const other = await planDateId(ada);
      const key = randomUUID();
      const id = uploadIdOf(await createUpload(ada, photo.length, { dateId: other, key }));
      await sendPart(ada, id, 0, photo.subarray(0, 100));
      expect(uploadIdOf(await createUpload(ada, photo.length, { dateId: other, key }))).toBe(id);
      expect(await readUploadStatus(ada, id)).toMatchObject({ offset: 100 });
      await sendPart(ada, id, 100, photo.subarray(100));
      const { memory } = await readUploadStatus(ada, id);
      expect(uploadIdOf(await createUpload(ada, photo.length, { dateId: other, key }))).toBe(id);
      // The same photo, sent as a form with the same key, gets the first reply.
      const whole = await upload(ada, photo, { dateId: other, name: 'us.jpg' }, key);
      expect([whole.status, whole.body.id]).toEqual([201, memory]);
      expect(await memories(other)).toHaveLength(1);
    });

    it('answer 422 if the key was used for something else', async () => {
      const photo = await newPhoto();
      const key = randomUUID();
      await createUpload(ada, photo.length, { dateId, key });
      expect((await createUpload(ada, photo.length + 1, { dateId, key })).status).toBe(422);
      expect((await createUpload(ada, photo.length, { dateId, key, caption: 'Another' })).status).toBe(422);
      const used = randomUUID();
      await upload(ada, photo, { dateId }, used);
      const other = await newPhoto();
      expect((await sendInParts(ada, other, { dateId, key: used })).status).toBe(422);
    });

    it('free the key after a refusal', async () => {
      const half = await makeHalfJpeg({ seed: 503 });
      const key = randomUUID();
      const first = uploadIdOf(await createUpload(ada, half.length, { dateId, key }));
      expect((await sendPart(ada, first, 0, half)).status).toBe(400);
      expect(uploadIdOf(await createUpload(ada, half.length, { dateId, key }))).not.toBe(first);
    });

    it('start again once the first upload has expired', { tags: ['uploads.parts.5'] }, async () => {
      const photo = await newPhoto();
      const other = await planDateId(ada);
      const key = randomUUID();
      const first = uploadIdOf(await createUpload(ada, photo.length, { dateId: other, key }));
      ahead = DAY + 1000;
      try {
        const id = uploadIdOf(await createUpload(ada, photo.length, { dateId: other, key }));
        expect(id).not.toBe(first);
        expect((await sendPart(ada, id, 0, photo)).status).toBe(204);
        expect(await memories(other)).toHaveLength(1);
      } finally {
        ahead = 0;
      }
    });
  });

  it('return the existing memory for the same bytes in the same date', async () => {
    const photo = await newPhoto();
    const { body } = await upload(ada, photo, { dateId });
    const last = await sendInParts(ada, photo, { dateId });
    expect([last.status, last.headers.get('content-location')]).toEqual([204, `/api/Memories/${body.id}`]);
  });

  it('keep the parts while the photo store is unreachable, so that nothing is sent twice', async () => {
    const photo = await newPhoto();
    const deps = await depsOf(app);
    const away = new Refusal(503, 'Our photo store is out of reach for a moment.', { retryAfter: 5 });
    const cut: Deps = { ...deps, files: { ...deps.files, putBytes: () => Promise.reject(away) } };
    const id = uploadIdOf(await createUpload(ada, photo.length, { dateId, key: randomUUID() }));
    await sendPart(ada, id, 0, photo.subarray(0, 100));
    const couple = ada.user.couple.id as CoupleId;
    const session = { coupleId: couple, userId: ada.user.id as UserId, sessionId: '' };
    const begun = await findUpload(app.db.read, couple, id);
    if (!begun) throw new Error('It was begun');
    // The last part arrives while the store is unreachable: all bytes are there, but no memory yet.
    await storePart(deps, begun, 100, Readable.from([photo.subarray(100)]));
    const previewMaker = new PreviewMaker(deps);
    await expect(finishUpload(cut, previewMaker, { session, upload: begun })).rejects.toBe(away);
    expect(await readUploadStatus(ada, id)).toEqual({ status: 200, offset: photo.length, memory: null });
    const again = await sendPart(ada, id, photo.length, Buffer.alloc(0));
    expect(again.status).toBe(204);
    const kept = await readUploadStatus(ada, id);
    expect(await bytesOf(`/api/Memories/${kept.memory}/image`)).toEqual(photo);
    await previewMaker.stop();
  });

  const askForOptions = () => ada.call('OPTIONS /api/Memories/tus', {}, { headers: { ...TUS, origin: app.url } });
  const askForUpload = (id: string, headers: Record<string, string> = TUS) =>
    ada.call('HEAD /api/Memories/tus/{id}', { params: { id } }, { headers });
  /** Sends a part of one byte with other headers than a client of tus does. */
  const sendOddPart = (id: string, headers: Record<string, string>, type = 'application/offset+octet-stream') =>
    ada.request(`PATCH /api/Memories/tus/${id}` as CallName, {}, { headers, raw: { type, body: 'x' } });

  it('speak tus 1.0.0', { tags: ['uploads.parts.1'] }, async () => {
    const options = await askForOptions();
    expect([options.status, options.headers.get('tus-version')]).toEqual([204, '1.0.0']);
    expect(options.headers.get('tus-max-size')).toBe('104857600');
    expect(options.headers.get('tus-extension')).toBe('creation,termination,expiration');
    const begun = await createUpload(ada, 100, { dateId, caption: 'Ours' });
    const head = await askForUpload(uploadIdOf(begun));
    expect(head.headers.get('upload-length')).toBe('100');
    expect(head.headers.get('upload-metadata')).toContain(`Caption ${Buffer.from('Ours').toString('base64')}`);
    expect(Date.parse(begun.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + DAY - 60_000);
  });

  it('refuse another version, another content type, and a part without its offset', {
    tags: ['uploads.parts.1'],
  }, async () => {
    const id = uploadIdOf(await createUpload(ada, 100, { dateId }));
    const none = await sendOddPart(id, { 'upload-offset': '0' });
    expect([none.status, none.problem.status, none.headers.get('tus-version')]).toEqual([412, 412, '1.0.0']);
    expect((await askForUpload(id, { 'tus-resumable': '0.2.2' })).status).toBe(400);
    expect((await sendOddPart(id, { ...TUS, 'upload-offset': '0' }, 'image/jpeg')).status).toBe(415);
    expect((await sendOddPart(id, TUS)).status).toBe(400);
  });

  it('have the usual security headers and none of CORS, also in a refusal', {
    tags: ['uploads.parts.6'],
  }, async () => {
    const begun = await createUpload(ada, 100, { dateId });
    const id = uploadIdOf(begun);
    const part = await sendPart(ada, id, 0, Buffer.alloc(10));
    const [none, typed, without] = [
      await sendOddPart(id, { 'upload-offset': '10' }),
      await sendOddPart(id, { ...TUS, 'upload-offset': '10' }, 'image/jpeg'),
      await sendOddPart(id, TUS),
    ];
    const old = await askForUpload(id, { 'tus-resumable': '0.2.2' });
    for (const { headers } of [await askForOptions(), begun, await askForUpload(id), part, old, none, typed, without]) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers.get('tus-resumable')).toBe('1.0.0');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    for (const problem of [none, typed, without]) expect(problem.headers.get('content-type')).toMatch('problem+json');
  });

  it('can be terminated, which deletes their parts', async () => {
    const before = (await pieces()).files.length;
    const id = uploadIdOf(await createUpload(ada, 100, { dateId }));
    await sendPart(ada, id, 0, Buffer.alloc(50));
    expect((await pieces()).files).toHaveLength(before + 1);
    const given = await ada.call('DELETE /api/Memories/tus/{id}', { params: { id } }, { headers: TUS });
    expect(given.status).toBe(204);
    expect((await pieces()).files).toHaveLength(before);
    expect((await readUploadStatus(ada, id)).status).toBe(404);
    expect((await sendPart(ada, id, 50, Buffer.alloc(50))).status).toBe(404);
  });

  it('expire after a day', { tags: ['uploads.parts.5'] }, async () => {
    const id = uploadIdOf(await createUpload(ada, 100, { dateId }));
    await sendPart(ada, id, 0, Buffer.alloc(50));
    ahead = DAY + 1000;
    try {
      expect((await readUploadStatus(ada, id)).status).toBe(404);
      const late = await sendPart(ada, id, 50, Buffer.alloc(50));
      expect([late.status, late.problem.title]).toEqual([404, 'Not found']);
    } finally {
      ahead = 0;
    }
  });

  it('continue if their server died while its clock was wrong', { tags: ['durability.store.6'] }, async () => {
    const id = uploadIdOf(await createUpload(ada, 100, { dateId }));
    const lease = uploadLease(ada.user.couple.id as CoupleId, id, () => undefined);
    const wrong = Date.now() + 40 * DAY;
    const take = app.db.write((tx) => lease.take(tx, 'a dead server', { now: wrong, until: wrong + 6_000 }));
    expect(await take).toBe(true);
    expect((await sendPart(ada, id, 0, Buffer.alloc(50))).status).toBe(204);
  });

  it('accept parts of eight megabytes on several nodes', { tags: ['uploads.parts.3'] }, async () => {
    const storage = { ...app.storage, env: { ...app.storage.env } };
    const photo = await makeJpegOfSize(20 * MB);
    const other = await planDateId(ada);
    const id = uploadIdOf(await createUpload(ada, photo.length, { dateId: other }));
    const second = await startTestApp(engine, { storage });
    const there = ada.at(second);
    await sendPart(ada, id, 0, photo.subarray(0, memoryLimits.partBytes));
    const [one, two] = [memoryLimits.partBytes, 2 * memoryLimits.partBytes];
    expect((await sendPart(there, id, one, photo.subarray(one, two))).status).toBe(204);
    expect((await sendPart(ada, id, two, photo.subarray(two))).status).toBe(204);
    await second.close();
    expect(await bytesOf((await memories(other))[0]?.imageUrl ?? '')).toEqual(photo);
  });
});
