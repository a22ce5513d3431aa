import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Caller } from '../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { planDateId } from '../../../tests/support/factories.ts';
import { makeJpeg } from '../../../tests/support/images.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { spawnServer } from '../../../tests/support/spawn-server.ts';
import { startTestApp } from '../../../tests/support/test-app.ts';
import { createTestStorage, setS3Credentials, type TestStorage } from '../../../tests/support/test-storage.ts';
import { createUpload, readUploadStatus, sendPart, uploadIdOf } from '../../../tests/support/tus.ts';
import { upload } from '../../../tests/support/upload.ts';
import type { Files } from '../../base/server/files/files.ts';
import { openFiles } from '../../base/server/files/open.ts';
import { readConfig } from '../../base/server/process/config.ts';

const DAY = 86_400_000;
/** The steps of saving a photo, in order. */
const STEPS = [
  'receiving',
  'received',
  'pending file written',
  'decoded',
  'thumbnail stored',
  'original stored',
  'row written',
  'committed',
] as const;
/** The steps of storing a part, in order. */
const PART_STEPS = ['part received', 'part recorded', 'part stored', 'part acknowledged'] as const;
/** The steps of a resumable upload besides those of every photo: before them, around their commit, and after them. */
const TUS_STEPS = ['started', ...PART_STEPS, 'row written', 'committed', 'settled'] as const;

/** One story: an upload per step, at which the server is killed. The next server starts with the data it left. */
describeOnBoth('a server killed while it saves a photo', { shuffle: false }, (engine) => {
  let storage: TestStorage;
  let files: Files;
  let token: string | null;
  let cookie: string;
  let dateId: string;
  const photos = new Map<string, Buffer>();
  const inPieces = new Map<string, Buffer>();

  beforeAll(async () => {
    storage = await createTestStorage(engine);
    const server = await spawnServer(storage);
    setS3Credentials(storage);
    files = await openFiles(readConfig(storage.env));
    const { ada } = await registerCouple(server);
    ({ token, cookie } = ada);
    dateId = await planDateId(ada);
    for (const [index, step] of STEPS.entries()) photos.set(step, await makeJpeg({ seed: index + 1, width: 400 }));
    for (const [index, step] of TUS_STEPS.entries()) {
      inPieces.set(step, await makeJpeg({ seed: index + 101, width: 400 }));
    }
    await server.kill('SIGKILL');
  });
  afterAll(() => storage.remove());

  const stemsStored = async () => {
    const names = await Array.fromAsync(files.list());
    return new Set(names.map((name) => /\/([0-9a-f]+)\./.exec(name)?.[1] ?? ''));
  };

  /** Asserts that every listed memory has its picture in each size, and that the original is intact. */
  async function assertWhole(url: string): Promise<string[]> {
    const ada = new Caller(url, token);
    const { body: memories } = await ada.call('GET /api/Memories');
    for (const { imageUrl, previewUrl, thumbnailUrl, fileSizeBytes } of memories) {
      const headers = { authorization: `Bearer ${token}` };
      const original = Buffer.from(await (await fetch(url + imageUrl, { headers })).arrayBuffer());
      expect(original.length).toBe(fileSizeBytes);
      expect([...photos.values(), ...inPieces.values()].some((photo) => photo.equals(original))).toBe(true);
      for (const path of [previewUrl, thumbnailUrl]) {
        const shown = await fetch(url + path, { headers });
        expect([shown.status, (await shown.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
      }
    }
    return memories.map((memory) => memory.fileName.replace('.jpg', ''));
  }

  /** How many memories are listed. */
  const countMemories = async (url: string) => (await new Caller(url, token).call('GET /api/Memories')).body.length;

  it.each(STEPS)('at "%s" leaves no memory without its photo', { tags: ['durability.stored.1'] }, async (step) => {
    const server = await spawnServer(storage, { dieAt: step });
    const before = await countMemories(server.url);
    const ada = new Caller(server.url, token);
    await expect(upload(ada, photos.get(step) ?? null, { dateId })).rejects.toThrow('fetch failed');
    expect(await server.ended).toBeNull();

    const next = await startTestApp(engine, { storage });
    // Only committed memories exist, and they are intact.
    expect(await assertWhole(next.url)).toHaveLength(before + (step === 'committed' ? 1 : 0));
    await next.close();
  });

  /** Sends the missing bytes of a photo in parts of a third, and returns the offset at which it started. */
  async function sendRest(ada: Caller, photo: Buffer, key: string, told: (offset: number) => void): Promise<number> {
    const id = uploadIdOf(await createUpload(ada, photo.length, { dateId, key }));
    const { offset } = await readUploadStatus(ada, id);
    const third = Math.ceil(photo.length / 3);
    // If no bytes are missing, an empty part asks for the result.
    let at = offset ?? 0;
    do {
      const { status } = await sendPart(ada, id, at, photo.subarray(at, at + third));
      expect(status).toBe(204);
      at = Math.min(at + third, photo.length);
      told(at);
    } while (at < photo.length);
    expect((await readUploadStatus(ada, id)).memory).not.toBeNull();
    return offset ?? 0;
  }

  it.each(TUS_STEPS)(
    'at "%s" of a resumable upload loses no part, and saves nothing twice',
    { tags: ['durability.stored.1', 'uploads.parts.2'] },
    async (step) => {
      const photo = inPieces.get(step) ?? Buffer.alloc(0);
      const key = randomUUID();
      let acknowledged = 0;
      const server = await spawnServer(storage, { dieAt: step });
      const before = await countMemories(server.url);
      const sending = sendRest(new Caller(server.url, token), photo, key, (at) => {
        acknowledged = at;
      });
      await expect(sending).rejects.toThrow('fetch failed');
      expect(await server.ended).toBeNull();

      // A minute later, the leases of the killed server have expired.
      const next = await startTestApp(engine, { storage, now: () => Date.now() + 60_000 });
      expect(await assertWhole(next.url)).toHaveLength(before + (step === 'committed' || step === 'settled' ? 1 : 0));
      const resumed = await sendRest(new Caller(next.url, token), photo, key, () => undefined);
      expect(resumed).toBeGreaterThanOrEqual(acknowledged);
      expect(await assertWhole(next.url)).toHaveLength(before + 1);
      await next.close();
    },
  );

  describe('and started again', () => {
    it('keeps young files, and after a day leaves no file without a memory', async () => {
      const young = await startTestApp(engine, { storage });
      const kept = await assertWhole(young.url);
      await young.close();
      expect((await stemsStored()).size).toBeGreaterThan(kept.length);
      expect((await files.leftovers()).length).toBeGreaterThan(0);

      const later = await startTestApp(engine, { storage, now: () => Date.now() + DAY + 60_000 });
      await expect.poll(stemsStored, { timeout: 20_000 }).toEqual(new Set(kept));
      await expect.poll(() => files.leftovers(), { timeout: 20_000 }).toEqual([]);
      for (const table of ['pendingFiles', 'uploads', 'pieces'] as const) {
        await expect.poll(() => later.db.read.selectFrom(table).selectAll().execute()).toEqual([]);
      }
      const headers = { cookie, origin: later.url };
      const renewed = await new Caller(later.url).call('POST /api/auth/renew', {}, { headers });
      token = renewed.body.token;
      await assertWhole(later.url);
      await later.close();
    });

    it('accepts each photo again, and saves none twice', { tags: ['uploads.parts.4'] }, async () => {
      const app = await startTestApp(engine, { storage });
      const ada = new Caller(app.url, token);
      for (const [step, photo] of photos) {
        expect((await upload(ada, photo, { dateId })).status).toBe(step === 'committed' ? 200 : 201);
      }
      expect(await assertWhole(app.url)).toHaveLength(STEPS.length + TUS_STEPS.length);
      await app.close();
    });
  });
});
