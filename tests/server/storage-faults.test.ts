import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeOnBoth, type Engine, postgresAndS3, sqliteAndDisk } from '../support/engines.ts';
import { addPhoto, planDate } from '../support/factories.ts';
import { makeJpeg } from '../support/images.ts';
import type { Partner } from '../support/partner.ts';
import { registerCouple } from '../support/register-couple.ts';
import { depsOf } from '../support/server-deps.ts';
import { canMount, openSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';
import { upload } from '../support/upload.ts';

/** Returns the HTTP status of a picture, after reading its body. */
async function imageStatus(who: Partner, path: string): Promise<number> {
  const response = await fetch(who.url + path, { headers: { authorization: `Bearer ${who.token}` } });
  await response.arrayBuffer();
  return response.status;
}

async function originals(app: TestApp): Promise<string[]> {
  const { files } = await depsOf(app);
  return (await Array.fromAsync(files.list())).filter((name) => !/preview|thumbnail/.test(name)).sort();
}

describe.skipIf(!canMount)('on a full disk (where root allows)', () => {
  describeOnBoth('uploads and writes', (engine: Engine) => {
    let disk: SmallDisk;
    let storage: TestStorage;
    let app: TestApp;
    let ada: Partner;
    let dateId: string;
    beforeAll(async () => {
      disk = await openSmallDisk(12);
      const original = await createTestStorage(engine);
      storage = { env: { ...original.env, DATA_DIR: disk.folder }, remove: () => original.remove() };
      app = await startTestApp(engine, { storage });
      ({ ada } = await registerCouple(app));
      dateId = (await planDate(ada)).id;
    });
    afterAll(async () => {
      await app.close();
      await storage.remove();
      await disk.remove();
    });
    afterEach(() => disk.makeRoom());

    it('are refused with 507 and leave nothing behind, and reads still work', {
      tags: ['durability.stored.6'],
    }, async () => {
      const kept = await addPhoto(ada, dateId, 1);
      expect(await imageStatus(ada, kept.previewUrl)).toBe(200);
      const before = await originals(app);
      await disk.fill();
      const photo = await makeJpeg({ seed: 2, width: 900, height: 700 });
      const refused = await upload(ada, photo, { dateId });
      expect([refused.status, refused.problem.title]).toEqual([507, 'Disk full']);
      expect((await ada.call('GET /api/Memories')).body.map(({ id }) => id)).toEqual([kept.id]);
      expect(await imageStatus(ada, kept.imageUrl)).toBe(200);
      await disk.makeRoom();
      expect(await originals(app)).toEqual(before);
      const { files } = await depsOf(app);
      // A temporary file for a pending preview is removed once the preview is made.
      await expect.poll(() => files.leftovers(), { timeout: 20_000 }).toEqual([]);
      expect((await upload(ada, photo, { dateId })).status).toBe(201);
    });

    it('are acknowledged or refused, and no acknowledged write is lost', async () => {
      await disk.fill();
      const acknowledged: string[] = [];
      const statuses = new Set<number>();
      for (let count = 0; count < 120; count += 1) {
        const body = { title: `idea ${count}`, description: 'x'.repeat(900), category: 'Food' } as const;
        const answer = await ada.call('POST /api/DateIdeas', { body });
        statuses.add(answer.status);
        if (answer.status === 201) acknowledged.push(answer.body.id);
      }
      // PostgreSQL is on another disk.
      expect([...statuses].sort((a, b) => a - b)).toEqual(
        engine === sqliteAndDisk ? expect.arrayContaining([507]) : [201],
      );
      const ids = async () =>
        (await ada.call('GET /api/DateIdeas')).body
          .filter(({ title }) => title.startsWith('idea '))
          .map(({ id }) => id);
      expect((await ids()).sort()).toEqual(acknowledged.toSorted());
      await disk.makeRoom();
      const again = await startTestApp(engine, { storage });
      expect((await ids()).sort()).toEqual(acknowledged.toSorted());
      await again.close();
      expect((await ada.call('POST /api/DateIdeas', { body: { title: 'room again', category: 'Food' } })).status).toBe(
        201,
      );
    });
  });
});

// A bucket acknowledges a photograph by itself, and the local disk holds only its temporary file.
describe('a disk that fails to flush', () => {
  let app: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk);
    ({ ada } = await registerCouple(app));
  });
  afterAll(() => app.close());

  it('acknowledges no photograph, leaves nothing of it, and accepts it once the disk works again', {
    tags: ['durability.stored.6'],
  }, async () => {
    const { id: dateId } = await planDate(ada);
    const handle = await open(join(app.storage.env.DATA_DIR ?? '', 'any'), 'w');
    const FileHandle = Object.getPrototypeOf(handle) as { sync(): Promise<void> };
    await handle.close();
    const failing = vi
      .spyOn(FileHandle, 'sync')
      .mockRejectedValue(Object.assign(new Error('i/o error'), { code: 'EIO' }));
    const photo = await makeJpeg({ seed: 3 });
    const refused = await upload(ada, photo, { dateId });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(failing).toHaveBeenCalled();
    failing.mockRestore();
    expect((await ada.call('GET /api/Memories')).body).toEqual([]);
    expect(await originals(app)).toEqual([]);
    expect((await upload(ada, photo, { dateId })).status).toBe(201);
  });
});

describeOnBoth('a server', (engine) => {
  const isAway = engine === postgresAndS3;
  let storage: TestStorage;
  let store: TcpProxy | null = null;
  let app: TestApp;
  let ada: Partner;
  let dateId: string;
  const ready = async () => (await fetch(`${app.url}/readyz`)).status;
  /** The pending files, except for previews, which are made in the background. */
  const pendingFiles = async () =>
    (await app.db.read.selectFrom('pendingFiles').select('fileName').execute())
      .map((row) => row.fileName)
      .filter((name) => !name.includes('preview'));

  beforeEach(async () => {
    const original = await createTestStorage(engine);
    storage = original;
    if (isAway) {
      const storeUrl = new URL(original.env.STORAGE_URL ?? '');
      store = await startTcpProxy(storeUrl.searchParams.get('endpoint') ?? '');
      storeUrl.searchParams.set('endpoint', store.url.replace(/\/$/, ''));
      storage = { ...original, env: { ...original.env, STORAGE_URL: storeUrl.href } };
    }
    app = await startTestApp(engine, { storage });
    ({ ada } = await registerCouple(app));
    dateId = (await planDate(ada)).id;
  });
  afterEach(async () => {
    await app.close();
    await store?.close();
    await storage.remove();
  });

  it('without its folder of photographs, or its bucket, is not ready until that is back', {
    tags: ['durability.stored.7'],
  }, async () => {
    expect(await ready()).toBe(200);
    const photos = join(storage.env.DATA_DIR ?? '', 'photos');
    const takeAway = () => (store === null ? rename(photos, `${photos}-away`) : store.cut());
    const bringBack = () => (store === null ? rename(`${photos}-away`, photos) : store.mend());
    await takeAway();
    expect(await ready()).toBe(503);
    // What is stored meanwhile doesn't put a new, empty store in its place.
    const photo = await makeJpeg({ seed: 7 });
    expect((await upload(ada, photo, { dateId })).status).toBe(503);
    expect(await ready()).toBe(503);
    await bringBack();
    expect(await ready()).toBe(200);
    expect((await upload(ada, photo, { dateId })).status).toBe(201);
  });

  if (!isAway) return;

  it('without its photo store answers 503 for photographs, still lists, and takes uploads again afterwards', {
    tags: ['durability.stored.6'],
  }, async () => {
    const kept = await addPhoto(ada, dateId, 1);
    await store?.cut();
    expect(await ready()).toBe(503);
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    const photo = await makeJpeg({ seed: 5 });
    const refused = await upload(ada, photo, { dateId });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await ada.call('GET /api/Memories')).body.map(({ id }) => id)).toEqual([kept.id]);
    expect(await imageStatus(ada, kept.imageUrl)).toBe(503);
    await store?.mend();
    expect(await ready()).toBe(200);
    expect(await imageStatus(ada, kept.imageUrl)).toBe(200);
    expect((await upload(ada, photo, { dateId })).status).toBe(201);
    expect((await ada.call('GET /api/Memories')).body).toHaveLength(2);
  });

  it('without its photo store deletes permanently, and leaves the files to the sweep', {
    tags: ['memories.trash.5'],
  }, async () => {
    const { id, fileName } = await addPhoto(ada, dateId, 7);
    await ada.call('DELETE /api/Memories/{id}', { params: { id } });
    await store?.cut();
    expect((await ada.call('DELETE /api/Trash/{id}', { params: { id } })).status).toBe(204);
    expect((await ada.call('GET /api/Trash')).body).toEqual([]);
    expect(await pendingFiles()).toEqual([fileName.replace(/\..*/, '')]);
    await store?.mend();
  });

  it('whose photo store does not answer confirms what is deleted permanently', {
    tags: ['durability.store.10'],
  }, async () => {
    const { id } = await addPhoto(ada, dateId, 8);
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: dateId } });
    store?.silence();
    const erased = ada.call('DELETE /api/Trash/{id}', { params: { id: dateId } });
    // The store is given up after half a minute.
    const soon = setTimeout(10_000, null, { ref: false });
    expect((await Promise.race([erased, soon]))?.status).toBe(204);
    expect((await ada.call('POST /api/Trash/{id}/restore', { params: { id } })).status).toBe(404);
    await store?.mend();
    await expect.poll(pendingFiles, { timeout: 20_000 }).toEqual([]);
    expect(await originals(app)).toEqual([]);
  });
});
