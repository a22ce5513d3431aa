import { createHash, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBoth, onSqliteOnly } from '../../../tests/support/engines.ts';
import { planDateId } from '../../../tests/support/factories.ts';
import {
  makeAnimatedGif,
  makeHalfJpeg,
  makeJpeg,
  makeJpegOfSize,
  makePixelBomb,
  makePng,
} from '../../../tests/support/images.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { depsOf } from '../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { photoForm, upload } from '../../../tests/support/upload.ts';
import { countText } from '../../base/clean-text.ts';
import { openFiles } from '../../base/server/files/open.ts';
import { readConfig } from '../../base/server/process/config.ts';
import {
  BROKEN_PHOTO,
  EMPTY_FILE,
  FILE_TOO_LARGE,
  INVALID_TYPE,
  memoryLimits,
  TOO_MANY_PIXELS,
} from '../../memories/rules.ts';

const UNKNOWN = '019ab3c4-1111-7222-8333-444455556666';
let seed = 100;
/** Returns a photo that no other test uses. */
const newPhoto = () => makeJpeg({ seed: (seed += 1), width: 320, height: 240 });

describeOnBoth('uploading', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let dateId: string;
  beforeAll(async () => {
    app = await startTestApp(engine);
    ({ ada, ben } = await registerCouple(app, 'Europe/Rome'));
    dateId = await planDateId(ada);
  });
  afterAll(() => app.close());

  const incoming = async () => (await openFiles(readConfig(app.storage.env))).leftovers();
  const pendingFiles = () => app.db.read.selectFrom('pendingFiles').selectAll().execute();
  /** Waits until nothing is left. A preview that is being made has a row, and with an S3 store a temporary file. */
  const waitUntilNothingLeft = async () => {
    await expect.poll(incoming, { timeout: 20_000 }).toEqual([]);
    await expect.poll(pendingFiles, { timeout: 20_000 }).toEqual([]);
  };
  const rows = async () => (await app.db.read.selectFrom('memories').selectAll().execute()).length;
  const fetchPhoto = (who: Partner, path: string) =>
    fetch(app.url + path, { headers: { authorization: `Bearer ${who.token}` } });

  it('saves a photo byte for byte, and returns what it found', {
    tags: ['memories.pictures.1', 'uploads.wire.7'],
  }, async () => {
    const bytes = await makeJpeg({ width: 1200, height: 800, orientation: 6, takenAt: '2026:07:04 21:30:15', seed: 1 });
    const before = Date.now();
    const { status, body, headers } = await upload(ada, bytes, {
      dateId,
      caption: '  By the\r\nsea ',
      name: 'DSC 001.JPG',
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/Memories/${body.id}`);
    expect(body).toMatchObject({
      plannedDateId: dateId,
      caption: 'By the\nsea',
      width: 800,
      height: 1200,
      takenAt: '2026-07-04T19:30:15.000Z',
      originalFileName: 'DSC 001.JPG',
      fileExtension: '.jpg',
      fileSizeBytes: bytes.length,
      imageUrl: `/api/Memories/${body.id}/image?size=original`,
    });
    expect(body.fileName).toMatch(/^[0-9a-f]{32}\.jpg$/);
    expect(Date.parse(body.uploadedAt)).toBeGreaterThanOrEqual(before);
    expect((await ben.call('GET /api/Memories/{id}', { params: { id: body.id } })).body).toEqual(body);
    const original = Buffer.from(await (await fetchPhoto(ben, body.imageUrl)).arrayBuffer());
    expect(original.equals(bytes)).toBe(true);
    const thumbnail = await sharp(await (await fetchPhoto(ben, body.thumbnailUrl)).arrayBuffer()).metadata();
    expect([thumbnail.format, thumbnail.width, thumbnail.height]).toEqual(['webp', 213, 320]);
    await waitUntilNothingLeft();
  });

  it('accepts the fields in any order, and treats a blank caption as none', {
    tags: ['uploads.wire.1', 'uploads.wire.3'],
  }, async () => {
    const first = await upload(ada, await newPhoto(), { dateId, caption: 'after', fileFirst: true });
    expect([first.status, first.body.caption]).toEqual([201, 'after']);
    const blank = await upload(ada, await newPhoto(), { dateId, caption: ' \r\n ' });
    expect([blank.status, blank.body.caption]).toEqual([201, null]);
    const absent = await upload(ada, await newPhoto(), { dateId });
    expect([absent.status, absent.body.caption]).toEqual([201, null]);
  });

  it('counts the code points of a cleaned caption', { tags: ['uploads.wire.3'] }, async () => {
    const family = '👨‍👩‍👧‍👦';
    const fits = `${family.repeat(71)}\r\n!!`;
    expect(countText(fits)).toBe(500);
    expect((await upload(ada, await newPhoto(), { dateId, caption: ` ${fits} ` })).status).toBe(201);
    const { status, problem } = await upload(ada, await newPhoto(), { dateId, caption: `${fits}!` });
    expect(status).toBe(400);
    expect(problem.errors).toEqual([{ field: 'Caption', message: 'Caption cannot exceed 500 characters' }]);
    expect((await upload(ada, await newPhoto(), { dateId, caption: 'a\u0000b' })).status).toBe(400);
  });

  it('goes by the bytes, whatever the file is called', { tags: ['wire.errors.5'] }, async () => {
    const png = await upload(ada, await makePng({ seed: 3 }), { dateId, name: 'us.jpg', type: 'image/jpeg' });
    expect([png.status, png.body.fileExtension, png.body.originalFileName]).toEqual([201, '.png', 'us.jpg']);
    const gif = await upload(ada, await makeAnimatedGif({ seed: 3 }), { dateId, name: 'us.exe', type: 'text/html' });
    expect([gif.status, gif.body.fileExtension]).toEqual([201, '.gif']);
  });

  it('cleans the file name', { tags: ['uploads.wire.7'] }, async () => {
    const body = await newPhoto();
    const boundary = 'xx';
    const raw = Buffer.concat([
      Buffer.from(`--xx\r\nContent-Disposition: form-data; name="PlannedDateId"\r\n\r\n${dateId}\r\n`),
      Buffer.from(`--xx\r\nContent-Disposition: form-data; name="ImageFile"; filename="C:\\a\\plain.jpg"; `),
      Buffer.from(`filename*=UTF-8''..%2F%E2%80%AEcaf%C3%A9.jpg\r\n\r\n`),
      body,
      Buffer.from('\r\n--xx--\r\n'),
    ]);
    const options = { raw: { type: `multipart/form-data; boundary=${boundary}`, body: raw } };
    const { status, body: memory } = await ada.request('POST /api/Memories', {}, options);
    expect(status).toBe(201);
    expect(memory).toMatchObject({ originalFileName: 'café.jpg' });
    const nameless = await upload(ada, await makePng({ seed: 77 }), { dateId, name: '../' });
    expect(nameless.body.originalFileName).toBe('photo.png');
  });

  onSqliteOnly(engine, () => {
    it('accepts exactly 100 MB, and leaves nothing of a file one byte larger', {
      tags: ['wire.errors.4'],
      timeout: 120_000,
    }, async () => {
      const before = await rows();
      const largest = await makeJpegOfSize(memoryLimits.fileSizeBytes);
      expect(await uploadRaw(app.url, ada, dateId, [largest, CLOSING])).toMatchObject({ status: 201 });
      const more = [largest, Buffer.from('!'), CLOSING];
      expect(await uploadRaw(app.url, ada, dateId, more)).toMatchObject({ status: 413, message: FILE_TOO_LARGE });
      // It is refused as soon as it is too large, before the body ends.
      expect(await uploadRaw(app.url, ada, dateId, [largest, Buffer.from('!')])).toMatchObject({ status: 413 });
      expect(await rows()).toBe(before + 1);
      await waitUntilNothingLeft();
    });

    it('refuses a request far too large by its Content-Length', { tags: ['wire.errors.4'] }, async () => {
      const status = await new Promise((done, failed) => {
        const headers = {
          authorization: `Bearer ${ada.token}`,
          'content-type': 'multipart/form-data; boundary=xx',
          'content-length': '900000000',
        };
        const outgoing = request(`${app.url}/api/Memories`, { method: 'POST', headers }, (response) => {
          done(response.statusCode);
          outgoing.destroy();
        });
        outgoing.on('error', failed);
        outgoing.flushHeaders();
      });
      expect(status).toBe(413);
    });

    it('names each missing field', async () => {
      const { status, problem } = await upload(ada, null, { caption: 'nothing' });
      expect(status).toBe(400);
      expect(problem.errors.map((error) => error.field)).toEqual(['ImageFile', 'PlannedDateId']);
      expect((await upload(ada, await newPhoto(), {})).problem.errors.map((error) => error.field)).toEqual([
        'PlannedDateId',
      ]);
      const text = new FormData();
      text.append('ImageFile', 'no file at all');
      text.append('PlannedDateId', dateId);
      expect((await ada.call('POST /api/Memories', { body: text })).problem.errors.map((e) => e.field)).toEqual([
        'ImageFile',
      ]);
    });
  });

  it('returns 404 for unknown, deleted, invalid and other couples’ dates', { tags: ['uploads.wire.6'] }, async () => {
    const { ada: eve } = await registerCouple(app);
    const deleted = await planDateId(ada);
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: deleted } });
    for (const id of [UNKNOWN, 'nonsense', deleted, await planDateId(eve)]) {
      for (const fileFirst of [true, false]) {
        expect((await upload(ada, await newPhoto(), { dateId: id, fileFirst })).status).toBe(404);
        // 404 takes precedence over 415, 400 and 409.
        expect((await upload(ada, Buffer.from('no photo'), { dateId: id, fileFirst })).status).toBe(404);
        expect((await upload(ada, null, { dateId: id, caption: 'x'.repeat(600), fileFirst })).status).toBe(404);
      }
    }
    await waitUntilNothingLeft();
  });

  it('refuses a file that is not a photo: 415, before any 400', { tags: ['wire.errors.5'] }, async () => {
    for (const bytes of [Buffer.from('<svg/>'), Buffer.alloc(0), Buffer.from('hello')]) {
      const { status, problem } = await upload(ada, bytes, { dateId, caption: 'x'.repeat(600) });
      expect([status, problem.message]).toEqual([415, bytes.length === 0 ? EMPTY_FILE : INVALID_TYPE]);
    }
    expect((await upload(ada, Buffer.from('hello'), {})).status).toBe(415);
  });

  it('refuses other content types with 415, whatever their content', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/mixed; boundary=xx', 'image/jpeg']) {
      const { status } = await ada.request('POST /api/Memories', {}, { raw: { type, body: '{ nonsense' } });
      expect(status).toBe(415);
    }
    const unbound = await ada.request('POST /api/Memories', {}, { raw: { type: 'multipart/form-data', body: 'x' } });
    expect(unbound.status).toBe(400);
  });

  it('refuses a truncated photo, and a decompression bomb', { tags: ['memories.pictures.8'] }, async () => {
    const half = await upload(ada, await makeHalfJpeg({ seed: 9 }), { dateId });
    expect([half.status, half.problem.message]).toEqual([400, BROKEN_PHOTO]);
    const bomb = await upload(ada, await makePixelBomb(), { dateId });
    expect([bomb.status, bomb.problem.message]).toEqual([400, TOO_MANY_PIXELS]);
    await waitUntilNothingLeft();
  });

  it('refuses text that is not UTF-8, and truncated forms', { tags: ['uploads.wire.3'] }, async () => {
    const part = (name: string) => `--xx\r\nContent-Disposition: form-data; name="${name}"`;
    const options = (body: Buffer) => ({
      raw: { type: 'multipart/form-data; boundary=xx', body: new Uint8Array(body) },
    });
    const form = Buffer.concat([
      Buffer.from(`${part('PlannedDateId')}\r\n\r\n${dateId}\r\n${part('ImageFile')}; filename="a.jpg"\r\n\r\n`),
      await newPhoto(),
      Buffer.from(`\r\n${part('Caption')}\r\n\r\ncaf`),
      Buffer.from([0xe9]),
      Buffer.from('\r\n--xx--\r\n'),
    ]);
    const latin1 = await ada.request('POST /api/Memories', {}, options(form));
    expect(latin1.status).toBe(400);
    expect(latin1.problem.errors).toEqual([{ field: 'Caption', message: 'Caption is not UTF-8' }]);
    expect((await ada.request('POST /api/Memories', {}, options(form.subarray(0, 5_000)))).status).toBe(400);
    await waitUntilNothingLeft();
  });

  it('adds nothing to a canceled date, and reports file errors first', { tags: ['uploads.wire.6'] }, async () => {
    const cancelled = await planDateId(ada);
    const photo = await newPhoto();
    expect((await upload(ada, photo, { dateId: cancelled })).status).toBe(201);
    await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: cancelled } });
    const before = await rows();
    expect((await upload(ada, await newPhoto(), { dateId: cancelled })).status).toBe(409);
    expect((await upload(ada, await makeHalfJpeg({ seed: 8 }), { dateId: cancelled })).status).toBe(400);
    expect((await upload(ada, photo, { dateId: cancelled })).status).toBe(200);
    expect(await rows()).toBe(before);
    await waitUntilNothingLeft();
  });

  it('returns the existing memory for the same bytes in the same date', { tags: ['uploads.wire.4'] }, async () => {
    const photo = await newPhoto();
    const first = await upload(ada, photo, { dateId, caption: 'first' });
    const again = await upload(ben, photo, { dateId, caption: 'second' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    const elsewhere = await upload(ada, photo, { dateId: await planDateId(ada) });
    expect(elsewhere.status).toBe(201);
    expect(elsewhere.body.id).not.toBe(first.body.id);
  });

  it.each(['lost', 'changed'])('stores it again if the original is %s', { tags: ['uploads.wire.5'] }, async (harm) => {
    const photo = await newPhoto();
    const { body } = await upload(ada, photo, { dateId });
    const { files } = await depsOf(app);
    const row = await app.db.read
      .selectFrom('memories')
      .selectAll()
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow();
    const name = `${row.coupleId}/${row.fileName}`;
    if (harm === 'lost') await files.remove(name);
    else await files.putBytes(name, photo.subarray(1), 'image/jpeg');
    expect((await upload(ben, photo, { dateId })).status).toBe(200);
    expect(Buffer.from(await (await fetchPhoto(ada, body.imageUrl)).arrayBuffer()).equals(photo)).toBe(true);
    expect(await files.size(name)).toBe(photo.length);
    await waitUntilNothingLeft();
  });

  it('returns it to concurrent uploads too', { tags: ['uploads.wire.4'] }, async () => {
    const photo = await newPhoto();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => upload(n % 2 ? ada : ben, photo, { dateId })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await waitUntilNothingLeft();
  });

  it('ignores a twin in the trash', { tags: ['uploads.wire.4', 'memories.trash.4'] }, async () => {
    const photo = await newPhoto();
    const first = await upload(ada, photo, { dateId });
    await ada.call('DELETE /api/Memories/{id}', { params: { id: first.body.id } });
    const again = await upload(ada, photo, { dateId });
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(first.body.id);
  });

  it('repeats the first response for the same key, and answers 422 for other content', {
    tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'],
  }, async () => {
    const [key, photo] = [randomUUID(), await newPhoto()];
    const date = await planDateId(ada);
    const first = await upload(ada, photo, { dateId: date, caption: 'us' }, key);
    expect(first.status).toBe(201);
    const again = await upload(ben, photo, { dateId: date, caption: 'us', fileFirst: true }, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect((await upload(ada, photo, { dateId: date, caption: 'others' }, key)).status).toBe(422);
    expect((await upload(ada, await newPhoto(), { dateId: date, caption: 'us' }, key)).status).toBe(422);
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: date } });
    expect((await upload(ada, photo, { dateId: date, caption: 'us' }, key)).status).toBe(201);
    await waitUntilNothingLeft();
  });

  it('frees the key of a refused upload', {
    tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'],
  }, async () => {
    const key = randomUUID();
    expect((await upload(ada, Buffer.from('no'), { dateId }, key)).status).toBe(415);
    expect((await upload(ada, await newPhoto(), { dateId }, key)).status).toBe(201);
    expect((await upload(ada, await newPhoto(), { dateId }, 'no uuid')).status).toBe(400);
  });

  it('requires a session', async () => {
    const form = photoForm(await newPhoto(), { dateId });
    const answer = await fetch(`${app.url}/api/Memories`, {
      method: 'POST',
      body: form,
      headers: { cookie: ada.cookie },
    });
    expect(answer.status).toBe(401);
  });

  it('stores the hash of the bytes', { tags: ['memories.pictures.1'] }, async () => {
    const photo = await newPhoto();
    const { body } = await upload(ada, photo, { dateId });
    const row = await app.db.read
      .selectFrom('memories')
      .select('sha256')
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow();
    expect(row.sha256).toBe(createHash('sha256').update(photo).digest('hex'));
  });

  it('reports the upload limits', { tags: ['uploads.wire.8'] }, async () => {
    expect((await ada.call('GET /api/Memories/upload-info')).body).toMatchObject({
      maxFileSizeBytes: 104_857_600,
      maxFiles: 100,
      maxCaptionLength: 500,
      allowedTypes: ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp'],
      allowedExtensions: ['.jpg', '.jpeg', '.png', '.gif', '.webp'],
      quotaBytes: null,
    });
  });

  it('validates without storing anything', { tags: ['uploads.wire.8'] }, async () => {
    const before = await rows();
    const validate = (bytes: Buffer | null) => ada.call('POST /api/Memories/validate', { body: photoForm(bytes, {}) });
    expect((await validate(await newPhoto())).body).toEqual({ isValid: true, errors: [] });
    expect((await validate(Buffer.alloc(0))).body.isValid).toBe(false);
    expect((await validate(Buffer.from('<svg/>'))).body).toEqual({ isValid: false, errors: [INVALID_TYPE] });
    expect((await validate(await makeHalfJpeg())).body).toEqual({ isValid: false, errors: [BROKEN_PHOTO] });
    expect((await validate(null)).status).toBe(400);
    expect((await ada.request('POST /api/Memories/validate', { body: {} })).status).toBe(415);
    expect(await rows()).toBe(before);
    await waitUntilNothingLeft();
  });
});

const CLOSING = Buffer.from('\r\n--xx--\r\n');

/** Sends a form in chunks, so that it needs little memory. Without the closing boundary, the body never ends. */
function uploadRaw(url: string, who: Partner, dateId: string, pieces: readonly Buffer[]) {
  return new Promise<{ status: number | undefined; message: unknown }>((done, failed) => {
    const headers = { authorization: `Bearer ${who.token}`, 'content-type': 'multipart/form-data; boundary=xx' };
    const outgoing = request(`${url}/api/Memories`, { method: 'POST', headers }, (response) => {
      text(response)
        .then((body) => done({ status: response.statusCode, ...(JSON.parse(body) as { message: unknown }) }))
        .catch(failed)
        .finally(() => outgoing.destroy());
    });
    outgoing.on('error', failed);
    outgoing.write(`--xx\r\nContent-Disposition: form-data; name="PlannedDateId"\r\n\r\n${dateId}\r\n`);
    outgoing.write('--xx\r\nContent-Disposition: form-data; name="ImageFile"; filename="a.jpg"\r\n\r\n');
    for (const piece of pieces) outgoing.write(piece);
    if (pieces.at(-1) === CLOSING) outgoing.end();
  });
}
