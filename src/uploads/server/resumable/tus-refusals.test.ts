import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { planDateId } from '../../../../tests/support/factories.ts';
import { makeHalfJpeg, makeJpeg, makeJpegOfSize, makePixelBomb } from '../../../../tests/support/images.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import {
  createUpload,
  metadata,
  readUploadStatus,
  sendInParts,
  sendPart,
  TUS,
  uploadIdOf,
} from '../../../../tests/support/tus.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { openFiles } from '../../../base/server/files/open.ts';
import { readConfig } from '../../../base/server/process/config.ts';
import {
  BROKEN_PHOTO,
  EMPTY_FILE,
  FILE_TOO_LARGE,
  INVALID_TYPE,
  memoryLimits,
  TOO_MANY_PIXELS,
} from '../../../memories/rules.ts';

let seed = 700;
/** Returns a photo that no other test uses. */
const newPhoto = () => makeJpeg({ seed: (seed += 1), width: 320, height: 240 });

describeOnBoth('resumable uploads', (engine) => {
  let app: TestApp;
  let files: Files;
  let ada: Partner;
  let dateId: string;
  beforeAll(async () => {
    app = await startTestApp(engine);
    files = await openFiles(readConfig(app.storage.env));
    ({ ada } = await registerCouple(app));
    dateId = await planDateId(ada);
  });
  afterAll(() => app.close());

  const memories = async (of = dateId) => (await ada.call('GET /api/Memories', { query: { plannedDateId: of } })).body;

  it('accept exactly 100 MB, and not one byte more', { tags: ['wire.errors.4'] }, async () => {
    const photo = await makeJpegOfSize(memoryLimits.fileSizeBytes);
    const other = await planDateId(ada);
    const last = await sendInParts(ada, photo, { dateId: other }, 13);
    expect(last.status).toBe(204);
    expect(await memories(other)).toMatchObject([{ fileSizeBytes: 104_857_600 }]);
    const { status, problem } = await createUpload(ada, memoryLimits.fileSizeBytes + 1, { dateId });
    expect([status, problem.message]).toEqual([413, FILE_TOO_LARGE]);
    const parts = (await Array.fromAsync(files.list())).filter((name) => name.endsWith('.piece'));
    expect(parts).toHaveLength((await app.db.read.selectFrom('pieces').selectAll().execute()).length);
  });

  it('accept no more than the announced length', async () => {
    const id = uploadIdOf(await createUpload(ada, 100, { dateId }));
    const { status } = await sendPart(ada, id, 0, Buffer.alloc(101));
    expect(status).toBe(413);
    expect(await readUploadStatus(ada, id)).toMatchObject({ offset: 0 });
  });

  it('refuse a file that is not a photo, and repeat the refusal', async () => {
    const bad: [Buffer, number, string][] = [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, INVALID_TYPE],
      [await makeHalfJpeg({ seed: 504 }), 400, BROKEN_PHOTO],
      [await makePixelBomb(), 400, TOO_MANY_PIXELS],
    ];
    const before = (await memories()).length;
    for (const [bytes, status, message] of bad) {
      const id = uploadIdOf(await createUpload(ada, bytes.length, { dateId }));
      const answers = [await sendPart(ada, id, 0, bytes), await sendPart(ada, id, bytes.length, Buffer.alloc(0))];
      for (const answer of answers) {
        expect([answer.status, answer.problem.message]).toEqual([status, message]);
        expect(answer.headers.get('content-type')).toMatch('problem+json');
        expect(answer.problem.errors).toEqual([{ field: 'ImageFile', message }]);
      }
      expect(await readUploadStatus(ada, id)).toEqual({ status: 200, offset: bytes.length, memory: null });
    }
    expect(await memories()).toHaveLength(before);
  });

  it('refuse at creation what a form upload would be refused for', async () => {
    const cancelled = await planDateId(ada);
    await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: cancelled } });
    const statuses = await Promise.all([
      createUpload(ada, 10, { dateId: randomUUID() }),
      createUpload(ada, 10, { dateId: 'x' }),
      createUpload(ada, 0, { dateId }),
      createUpload(ada, 10, {}),
      createUpload(ada, 10, { dateId, caption: 'x'.repeat(501) }),
      createUpload(ada, 10, { dateId, key: 'not-a-uuid' }),
      createUpload(ada, 10, { dateId: cancelled }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 415, 400, 400, 400, 409]);
    expect(statuses[2]?.problem.message).toBe(EMPTY_FILE);
    const headers = { ...TUS, 'upload-length': '10' };
    const values = { PlannedDateId: dateId, Caption: new Uint8Array([0xff]), filename: 'us.jpg' };
    const bad = { ...headers, 'upload-metadata': metadata(values) };
    const { status, problem } = await ada.call('POST /api/Memories/tus', {}, { headers: bad });
    expect([status, problem.errors]).toEqual([400, [{ field: 'Caption', message: 'Caption is not UTF-8' }]]);
  });

  it('add nothing to a date that was canceled or deleted during the upload', { tags: ['uploads.wire.6'] }, async () => {
    const calls = ['POST /api/PlannedDates/{id}/cancel', 'DELETE /api/PlannedDates/{id}'] as const;
    for (const [index, call] of calls.entries()) {
      const photo = await newPhoto();
      const id = await planDateId(ada);
      const uploadId = uploadIdOf(await createUpload(ada, photo.length, { dateId: id }));
      await sendPart(ada, uploadId, 0, photo.subarray(0, 10));
      await ada.call(call, { params: { id } });
      expect((await sendPart(ada, uploadId, 10, photo.subarray(10))).status).toBe([409, 404][index]);
    }
  });

  it('accept parts only at their own address', async () => {
    const raw = { type: 'application/offset+octet-stream', body: 'x' };
    for (const name of ['POST /api/DateIdeas', 'POST /api/Memories', 'POST /api/Memories/tus'] as const) {
      const headers = { ...TUS, 'upload-length': '1', 'upload-metadata': metadata({ PlannedDateId: dateId }) };
      expect((await ada.request(name, {}, { headers, raw })).status).toBe(415);
    }
  });
});
