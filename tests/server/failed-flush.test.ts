import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Caller } from '../support/caller.ts';
import { addIdea } from '../support/factories.ts';
import { type FailingDisk, openFailingDisk } from '../support/failing-disk.ts';
import { canLoop, type LoopDisk } from '../support/loop-disk.ts';
import type { Partner } from '../support/partner.ts';
import { registerAda } from '../support/register-couple.ts';
import { canMount } from '../support/small-disk.ts';
import { type SpawnedServer, spawnServer } from '../support/spawn-server.ts';

/**
 * Linux shows what a disk failed to write, although it is lost. On ext4, what is written and flushed in its place later is
 * lost as well.
 */
describe.skipIf(!canLoop || !canMount)('after a commit that the disk failed to flush (where root allows)', () => {
  let disk: FailingDisk;
  let cut: LoopDisk | null = null;
  let server: SpawnedServer;
  let ada: Caller;
  const acknowledged: string[] = [];
  const start = async (folder = disk.folder) => {
    server = await spawnServer({ env: { DATA_DIR: join(folder, 'data') }, remove: async () => undefined });
    ada = new Caller(server.url, ada?.token);
  };
  const add = () => ada.call('POST /api/DateIdeas', { body: { title: 'refused', category: 'Food' } });
  const addIdeas = async () => {
    for (const title of ['a', 'b', 'c']) acknowledged.push((await addIdea(ada as Partner, { title })).id);
  };
  const ideas = async () => (await ada.call('GET /api/DateIdeas')).body.map(({ id }) => id);
  const ideasAfterPowerCut = async () => {
    process.kill(server.pid, 'SIGSTOP');
    cut = await disk.cutPower();
    await server.kill('SIGKILL');
    await start(cut.folder);
    return ideas();
  };
  beforeEach(async () => {
    disk = await openFailingDisk(96);
    await start();
    ada = await registerAda(server);
    acknowledged.length = 0;
    await addIdeas();
  });
  afterEach(async () => {
    await server.kill('SIGKILL');
    await cut?.remove();
    await disk.remove();
    cut = null;
  });

  it('a power cut loses no later one', { tags: ['durability.stored.5'] }, async () => {
    await disk.failWrites();
    // Those that share a commit run again one by one.
    const refused = await Promise.all([add(), add(), add()]);
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
    await disk.heal();
    await addIdeas();
    expect((await ideasAfterPowerCut()).sort()).toEqual(acknowledged);
  });
});
