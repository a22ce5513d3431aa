import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Caller } from '../support/caller.ts';
import { addIdea, planDate } from '../support/factories.ts';
import { makeJpeg } from '../support/images.ts';
import { canLoop, type LoopDisk, openLoopDisk } from '../support/loop-disk.ts';
import type { Partner } from '../support/partner.ts';
import { registerAda } from '../support/register-couple.ts';
import { type SpawnedServer, spawnServer } from '../support/spawn-server.ts';
import { upload } from '../support/upload.ts';

/**
 * Simulates a power cut: everything acknowledged must exist afterwards, byte for byte. The file system is an image file
 * that is copied right after a reply, without flushing anything.
 */
describe.skipIf(!canLoop)('after a power cut (where root allows)', () => {
  let disk: LoopDisk;
  let cut: LoopDisk | null = null;
  const servers: SpawnedServer[] = [];
  const start = async (folder: string) => {
    const storage = { env: { DATA_DIR: join(folder, 'data') }, remove: async () => undefined };
    const server = await spawnServer(storage);
    servers.push(server);
    return server;
  };
  /** Freezes the server, copies its disk, and starts another server on the copy. */
  const cutPower = async (server: SpawnedServer) => {
    process.kill(server.pid, 'SIGSTOP');
    cut = await disk.cutPower();
    await server.kill('SIGKILL');
    return start(cut.folder);
  };
  beforeEach(async () => {
    disk = await openLoopDisk(96);
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.kill('SIGKILL');
    await cut?.remove();
    await disk.remove();
    cut = null;
  });

  it('the copied disk loses unflushed files, as a real one would', async () => {
    await mkdir(join(disk.folder, 'data'));
    await writeFile(join(disk.folder, 'data', 'unflushed'), Buffer.alloc(100_000, 7));
    cut = await disk.cutPower();
    const found = await readFile(join(cut.folder, 'data', 'unflushed')).catch(() => Buffer.alloc(0));
    expect(found.equals(Buffer.alloc(100_000, 7))).toBe(false);
  });

  it('every acknowledged photograph and text exists, byte for byte', {
    tags: ['durability.stored.1', 'durability.stored.4'],
  }, async () => {
    const server = await start(disk.folder);
    const ada = await registerAda(server);
    const { id: dateId } = await planDate(ada, { idea: { title: 'Before the dark' } });
    const hashes = new Map<string, string>();
    for (const seed of [1, 2, 3]) {
      const photo = await makeJpeg({ seed, width: 800, height: 600 });
      const { status, body } = await upload(ada, photo, { dateId, caption: `photo ${seed}` });
      expect(status).toBe(201);
      hashes.set(body.id, createHash('sha256').update(photo).digest('hex'));
    }
    const idea = await addIdea(ada, { title: 'Acknowledged a moment before' });
    const next = await cutPower(server);

    const again = new Caller(next.url, ada.token);
    const { body: memories } = await again.call('GET /api/Memories');
    expect(memories.map(({ id }) => id).sort()).toEqual([...hashes.keys()].sort());
    for (const { id, imageUrl, thumbnailUrl } of memories) {
      expect(await hashOf(again, next.url + imageUrl)).toBe(hashes.get(id));
      expect(await hashOf(again, next.url + thumbnailUrl)).not.toBeNull();
    }
    expect((await again.call('GET /api/DateIdeas')).body.map(({ id }) => id)).toContain(idea.id);
    // New writes work.
    const photo = await makeJpeg({ seed: 4 });
    expect((await upload(again as Partner, photo, { dateId })).status).toBe(201);
  });

  it.each([1, 2, 3, 4])(
    'during uploads, no memory is without its photograph (%i)',
    { tags: ['durability.stored.4'] },
    async (round) => {
      const server = await start(disk.folder);
      const ada = await registerAda(server);
      const { id: dateId } = await planDate(ada);
      const photos = await Promise.all(
        [1, 2, 3, 4, 5, 6].map((seed) => makeJpeg({ seed: seed + round * 10, width: 500 })),
      );
      const acknowledged: string[] = [];
      const send = async (photo: Buffer) => {
        const { status, body } = await upload(ada, photo, { dateId });
        if (status === 201) acknowledged.push(body.id);
      };
      // Uploads without a reply were not acknowledged.
      const sending = photos.map((photo) => send(photo).catch(() => undefined));
      // Wait for as many replies as the number of the round; the other uploads are still running.
      await expect.poll(() => acknowledged.length, { interval: 5, timeout: 20_000 }).toBeGreaterThanOrEqual(round);
      const next = await cutPower(server);
      await Promise.all(sending);

      const again = new Caller(next.url, ada.token);
      const { body: memories } = await again.call('GET /api/Memories');
      expect(memories.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
      const sent = new Set(photos.map((photo) => createHash('sha256').update(photo).digest('hex')));
      for (const { imageUrl } of memories)
        expect(sent.has((await hashOf(again, next.url + imageUrl)) ?? '')).toBe(true);
    },
  );
});

async function hashOf(who: Caller, url: string): Promise<string | null> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${who.token}` } });
  if (response.status !== 200) return null;
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
}
