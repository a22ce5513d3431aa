import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnBoth, sqliteAndDisk } from '../../../../tests/support/engines.ts';
import { planDateId } from '../../../../tests/support/factories.ts';
import { makeAnimatedWebp, makeJpeg } from '../../../../tests/support/images.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { upload } from '../../../../tests/support/upload.ts';
import { useTwoNodes } from '../../../../tests/support/use-two-nodes.ts';
import type { Memory } from '../../contract.ts';

const NAME = 'us "two" – café 😀.jpg';

describeOnBoth('photo responses', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let dateId: string;
  let photo: Buffer;
  let memory: Memory;
  beforeAll(async () => {
    app = await startTestApp(engine);
    ({ ada, ben } = await registerCouple(app));
    dateId = await planDateId(ada);
    photo = await makeJpeg({ width: 2000, height: 1500, gps: { latitude: 41.9, longitude: 12.5 }, orientation: 6 });
    memory = (await upload(ada, photo, { dateId, name: NAME })).body;
  });
  afterAll(() => app.close());

  /** Reads the reply to its end, because an unread reply would prevent the server from closing. */
  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(app.url + path, init);
    const bytes = await response.arrayBuffer();
    return new Response([204, 304].includes(response.status) ? null : bytes, response);
  };
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    ask(path, { method, headers: { authorization: `Bearer ${ben.token}`, ...headers } });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it('send the original byte for byte, by id and by file name', {
    tags: ['memories.pictures.1', 'memories.sending.1'],
  }, async () => {
    for (const path of [
      memory.imageUrl,
      `/api/Memories/${memory.id}/image`,
      `/api/Memories/image/${memory.fileName}`,
    ]) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-length')).toBe(String(photo.length));
      expect((await bytesOf(response)).equals(photo)).toBe(true);
    }
  });

  it('have the true content type, and forbid everything else', {
    tags: ['wire.http.1', 'accounts.signout.8', 'memories.sending.4', 'memories.sending.6'],
  }, async () => {
    const { headers } = await get(memory.imageUrl);
    expect(headers.get('content-type')).toBe('image/jpeg');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    expect(headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect(headers.get('vary')).toBe('Cookie');
    expect(headers.get('accept-ranges')).toBe('bytes');
    expect(headers.get('content-disposition')).toMatch(/^inline; filename="us _two_/);
    const name = /filename\*=UTF-8''(.+)$/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '';
    expect(decodeURIComponent(name)).toBe(NAME);
  });

  it('have a thumbnail and a preview, upright and without EXIF', {
    tags: ['memories.pictures.3', 'memories.sending.1'],
  }, async () => {
    for (const [path, width, height] of [
      [memory.thumbnailUrl, 240, 320],
      [memory.previewUrl, 1200, 1600],
    ] as const) {
      const response = await get(path);
      expect(response.headers.get('content-type')).toBe('image/webp');
      expect(response.headers.get('content-disposition')).toBeNull();
      expect(await sharp(await bytesOf(response)).metadata()).toMatchObject({ format: 'webp', width, height });
    }
    const shown = await sharp(await bytesOf(await get(memory.previewUrl))).metadata();
    expect([shown.exif, shown.orientation]).toEqual([undefined, undefined]);
  });

  it('make a preview once for concurrent requests', { tags: ['memories.pictures.5'] }, async () => {
    const moving = await upload(ada, await makeAnimatedWebp({ seed: 5 }), { dateId });
    const previews = await Promise.all(
      Array.from({ length: 5 }, async () => bytesOf(await get(moving.body.previewUrl))),
    );
    expect(new Set(previews.map((bytes) => bytes.toString('base64'))).size).toBe(1);
    expect((await sharp(previews[0]).metadata()).pages).toBe(4);
    expect((await sharp(await bytesOf(await get(moving.body.thumbnailUrl))).metadata()).pages ?? 1).toBe(1);
  });

  it('are 304 if the browser has the photo', { tags: ['memories.sending.4'] }, async () => {
    const etag = (await get(memory.thumbnailUrl)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get(memory.thumbnailUrl, { 'if-none-match': tags });
      expect([response.status, await response.text()]).toEqual([304, '']);
      expect(response.headers.get('etag')).toBe(etag);
    }
    expect((await get(memory.imageUrl, { 'if-none-match': etag })).status).toBe(200);
  });

  it('send the requested range', { tags: ['memories.sending.5'] }, async () => {
    const etag = (await get(memory.imageUrl)).headers.get('etag') ?? '';
    const size = photo.length;
    for (const [range, start, end] of [
      ['bytes=0-99', 0, 99],
      ['bytes=100-', 100, size - 1],
      ['bytes=-50', size - 50, size - 1],
      [`bytes=10-${size + 10}`, 10, size - 1],
    ] as const) {
      const response = await get(memory.imageUrl, { range, 'if-range': etag });
      expect(response.status).toBe(206);
      expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`);
      expect((await bytesOf(response)).equals(photo.subarray(start, end + 1))).toBe(true);
    }
    const thumbnail = await bytesOf(await get(memory.thumbnailUrl));
    const part = await bytesOf(await get(memory.thumbnailUrl, { range: 'bytes=5-9' }));
    expect(part.equals(thumbnail.subarray(5, 10))).toBe(true);
  });

  it('send the whole photo for an invalid range, and refuse a range past the end', {
    tags: ['memories.sending.5'],
  }, async () => {
    for (const headers of [
      { range: 'bytes=0-9', 'if-range': '"other"' },
      { range: 'bytes=5-2' },
      { range: 'lines=1-2' },
      { range: 'bytes=0-1,5-6' },
    ]) {
      const response = await get(memory.imageUrl, headers as Record<string, string>);
      expect([response.status, (await bytesOf(response)).length]).toEqual([200, photo.length]);
    }
    const response = await get(memory.imageUrl, { range: `bytes=${photo.length}-` });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${photo.length}`);
    expect(await response.json()).toMatchObject({ status: 416 });
  });

  it('answer HEAD like GET, without a body', { tags: ['memories.sending.4'] }, async () => {
    for (const path of [memory.imageUrl, memory.thumbnailUrl]) {
      const [whole, head] = [await get(path), await get(path, {}, 'HEAD')];
      expect(head.status).toBe(200);
      for (const header of ['content-length', 'content-type', 'etag', 'cache-control', 'content-disposition']) {
        expect(head.headers.get(header)).toBe(whole.headers.get(header));
      }
      expect((await bytesOf(head)).length).toBe(0);
    }
  });

  it('require a bearer token or a session cookie', { tags: ['memories.sending.2'] }, async () => {
    const bare = (headers: Record<string, string>, path = memory.imageUrl) => ask(path, { headers });
    expect((await bare({ cookie: ada.cookie })).status).toBe(200);
    expect((await bare({})).status).toBe(401);
    expect((await bare({ authorization: 'Bearer nonsense' })).status).toBe(401);
    expect((await bare({ cookie: ada.cookie }, `/api/Memories/image/${memory.fileName}`)).status).toBe(200);
  });

  it('are 404 for missing, deleted and other couples’ photos', {
    tags: ['memories.sending.1', 'memories.sending.2'],
  }, async () => {
    const { ada: eve } = await registerCouple(app);
    const asEve = { authorization: `Bearer ${eve.token}` };
    expect((await get(memory.imageUrl, asEve)).status).toBe(404);
    expect((await get(`/api/Memories/image/${memory.fileName}`, asEve)).status).toBe(404);
    for (const path of [
      'nonsense/image',
      '019ab3c4-1111-7222-8333-444455556666/image',
      'image/..%2f..%2fetc',
      'image/x.jpg',
    ]) {
      expect((await get(`/api/Memories/${path}`)).status).toBe(404);
    }
    expect((await get(`/api/Memories/${memory.id}/image?size=huge`)).status).toBe(400);
    expect((await get(`/api/Memories/${memory.id}/image?size=huge`, asEve)).status).toBe(404);
    const gone = (await upload(ada, await makeJpeg({ seed: 44 }), { dateId })).body;
    await ada.call('DELETE /api/Memories/{id}', { params: { id: gone.id } });
    for (const path of [gone.imageUrl, gone.thumbnailUrl, `/api/Memories/image/${gone.fileName}`]) {
      const response = await get(path);
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
    }
  });
});

describeOnBoth('a thumbnail that two servers have sent', (engine) => {
  const nodes = useTwoNodes(engine);

  const status = async (url: string, path: string, cookie: string) => {
    const response = await fetch(url + path, { headers: { cookie } });
    await response.arrayBuffer();
    return response.status;
  };
  /** Uploads a photo and gets its thumbnail from both servers. */
  const shown = async () => {
    const { ada, ben } = await registerCouple(nodes.app);
    const memory = (await upload(ada, await makeJpeg(), { dateId: await planDateId(ada) })).body;
    for (const { url } of [nodes.app, nodes.other, nodes.app, nodes.other]) {
      for (const { cookie } of [ada, ben]) expect(await status(url, memory.thumbnailUrl, cookie)).toBe(200);
    }
    return { ada, ben, memory };
  };

  it('is not sent after it is deleted on any node, until it is restored', {
    tags: ['memories.sending.3'],
  }, async () => {
    const { ada, ben, memory } = await shown();
    const params = { id: memory.id };
    await ada.call('DELETE /api/Memories/{id}', { params });
    for (const { url } of [nodes.app, nodes.other])
      expect(await status(url, memory.thumbnailUrl, ben.cookie)).toBe(404);
    await ben.call('POST /api/Trash/{id}/restore', { params });
    for (const { url } of [nodes.app, nodes.other])
      expect(await status(url, memory.thumbnailUrl, ada.cookie)).toBe(200);
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: memory.plannedDateId } });
    for (const { url } of [nodes.app, nodes.other])
      expect(await status(url, memory.thumbnailUrl, ben.cookie)).toBe(404);
  });

  it('is not sent after signing out on any node, nor to another couple', { tags: ['memories.sending.3'] }, async () => {
    const { ada, ben, memory } = await shown();
    const { ada: eve } = await registerCouple(nodes.app);
    await ada.call('POST /api/auth/logout');
    for (const { url } of [nodes.app, nodes.other]) {
      expect(await status(url, memory.thumbnailUrl, ada.cookie)).toBe(401);
      expect(await status(url, memory.thumbnailUrl, ben.cookie)).toBe(200);
      expect(await status(url, memory.thumbnailUrl, eve.cookie)).toBe(404);
    }
  });
});

describe('a photo whose files are lost', () => {
  it('has its thumbnail and preview made again from the original, and is 404 without it', {
    tags: ['memories.pictures.16'],
  }, async () => {
    const app = await startTestApp(sqliteAndDisk);
    const { ada } = await registerCouple(app);
    const { body: memory } = await upload(ada, await makeJpeg({ width: 800, height: 600 }), {
      dateId: await planDateId(ada),
    });
    const folder = join(app.storage.env.DATA_DIR ?? '', 'photos', ada.user.couple.id);
    const stem = memory.fileName.replace('.jpg', '');
    const show = async (path: string, url = app.url) => {
      const response = await fetch(url + path, { headers: { cookie: ada.cookie } });
      return new Response(await response.arrayBuffer(), response);
    };
    expect((await show(memory.previewUrl)).status).toBe(200);
    for (const name of [`${stem}.thumbnail.webp`, `${stem}.preview.webp`]) await rm(join(folder, name));
    expect(await sharp(await (await show(memory.thumbnailUrl)).arrayBuffer()).metadata()).toMatchObject({ width: 320 });
    expect(await sharp(await (await show(memory.previewUrl)).arrayBuffer()).metadata()).toMatchObject({ width: 800 });
    await rm(folder, { recursive: true });
    for (const path of [memory.imageUrl, memory.thumbnailUrl, memory.previewUrl])
      expect((await show(path)).status).toBe(404);
    const other = await startTestApp(sqliteAndDisk, { storage: app.storage });
    for (const path of [memory.imageUrl, memory.thumbnailUrl, memory.previewUrl])
      expect((await show(path, other.url)).status).toBe(404);
    await other.close();
    await app.close();
  });
});
