import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, getPriority } from 'node:os';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { describeOnSqlite } from '../support/engines.ts';
import { addIdea, planDateId } from '../support/factories.ts';
import { makeJpeg } from '../support/images.ts';
import { registerAda } from '../support/register-couple.ts';
import { spawnServer } from '../support/spawn-server.ts';
import { createTestStorage } from '../support/test-storage.ts';
import { upload } from '../support/upload.ts';

/** Photographs that are decoded at a time. On machines with more cores than this, memory is the limit. */
const SLOTS = Math.min(availableParallelism(), 16);

/** A photograph that takes long to decode, with little memory, because it is decoded line by line. */
function makeSlowPng(): Promise<Buffer> {
  const background = { r: 120, g: 80, b: 90, alpha: 0.5 };
  return sharp({ create: { width: 250, height: 500_000, channels: 4, background } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** The nice values of the main thread of a process on Linux and of its pool's threads. */
function readPriorities(pid: number): { readonly main: number; readonly pool: ReadonlySet<number> } {
  const pool = readdirSync(`/proc/${pid}/task`).filter(
    (thread) => readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8') === 'libuv-worker\n',
  );
  return { main: getPriority(pid), pool: new Set(pool.map((thread) => getPriority(Number(thread)))) };
}

describeOnSqlite('while photographs are decoded on every core', (engine) => {
  it('files are read and lists compressed as before, and the main thread has precedence', {
    tags: ['running.load.1'],
  }, async () => {
    const storage = await createTestStorage(engine);
    const server = await spawnServer(storage, { printSteps: true });
    const ada = await registerAda(server);
    const dateId = await planDateId(ada);
    const { body: memory } = await upload(ada, await makeJpeg(), { dateId });
    for (let n = 0; n < 5; n += 1)
      await addIdea(ada, { description: 'A long walk, and then a longer one. '.repeat(10) });
    const headers = { authorization: `Bearer ${ada.token}` };
    const slow = await makeSlowPng();
    const count = (step: string) => server.output().split(`step: ${step}\n`).length - 1;
    const [begun, decoded] = [count('received'), count('decoded')];

    // The last byte, which decoders ignore, makes each of them another photograph.
    const uploads = Array.from({ length: SLOTS }, (_, n) =>
      upload(ada, Buffer.concat([slow, Buffer.of(n)]), { dateId, name: 'us.png', type: 'image/png' }),
    );
    await expect.poll(() => count('received') - begun, { timeout: 30_000 }).toBe(SLOTS);
    const photo = await fetch(server.url + memory.thumbnailUrl, { headers });
    expect((await photo.arrayBuffer()).byteLength).toBeGreaterThan(0);
    const list = await fetch(`${server.url}/api/DateIdeas`, { headers: { ...headers, 'accept-encoding': 'br' } });
    expect(list.headers.get('content-encoding')).toBe('br');
    expect(await list.json()).toHaveLength(6);
    expect(count('decoded') - decoded).toBe(0);
    if (process.platform === 'linux') {
      expect(readPriorities(server.pid)).toEqual({ main: getPriority(), pool: new Set([5]) });
    }

    expect(new Set((await Promise.all(uploads)).map(({ status }) => status))).toEqual(new Set([201]));
    // Without waiting for the previews.
    await server.kill('SIGKILL');
    await storage.remove();
  });
});
