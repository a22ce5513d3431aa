import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { addPhoto, planDate } from '../../../../tests/support/factories.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { runCommand } from '../../../../tests/support/run-command.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { createUpload, sendPart, uploadIdOf } from '../../../../tests/support/tus.ts';
import { deleteCouple } from '../../../auth/server/couple/deletion-store.ts';
import type { CoupleId } from '../../../base/ids.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { addPendingFiles } from '../pending-file-store.ts';
import { newStem } from '../stored-names.ts';
import { findOrphans } from './orphans.ts';

const METRICS_TOKEN = 'a-token-for-the-metrics';

describeOnBoth('stored files that no row names', (engine) => {
  let app: TestApp;
  let deps: Deps;
  let ada: Partner;
  let coupleId: CoupleId;
  beforeAll(async () => {
    app = await startTestApp(engine, { env: { METRICS_TOKEN } });
    ({ ada } = await registerCouple(app));
    coupleId = ada.user.couple.id as CoupleId;
    deps = await depsOf(app);
    const { id: dateId } = await planDate(ada);
    // What rows name: a memory, one in the trash, a part of an upload, and a file that is about to be stored.
    await addPhoto(ada, dateId, 1);
    const { id } = await addPhoto(ada, dateId, 2);
    await ada.call('DELETE /api/Memories/{id}', { params: { id } });
    await sendPart(ada, uploadIdOf(await createUpload(ada, 100, { dateId })), 0, Buffer.alloc(50));
    const stem = newStem();
    await app.db.write((tx) => addPendingFiles(tx, coupleId, { stems: [stem], now: Date.now() }));
    await store(`${coupleId}/${stem}.jpg`, 'pending');
  });
  afterAll(() => app.close());

  const store = (name: string, content: string) => deps.files.putBytes(name, Buffer.from(content), 'image/jpeg');
  const found = () => Array.fromAsync(findOrphans(deps));
  const run = async (...options: string[]) => {
    const { code, out, err } = await runCommand('orphans', app.storage.env, options);
    return { code, output: out + err };
  };
  const orphanBytes = async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${app.url}/metrics`, { headers })).text();
    return Number(/^our_love_story_orphan_bytes (\S+)$/m.exec(text)?.[1]);
  };

  it('are listed with their bytes, counted for the metrics, and deleted once an operator names them', {
    tags: ['durability.store.3', 'durability.store.4'],
  }, async () => {
    expect(await run()).toEqual({ code: 0, output: '0 unknown files, 0 bytes.\n' });
    const [ours, other, kept] = [
      `${coupleId}/${newStem()}.jpg`,
      `${randomUUID()}/${newStem()}.png`,
      `${coupleId}/${newStem()}.preview.webp`,
    ];
    for (const [name, content] of [
      [ours, '1'],
      [other, '22'],
      [kept, '333'],
    ] as const) {
      await store(name, content);
    }
    const listed = await run();
    expect(listed.output.split('\n').sort()).toEqual(
      ['', `${ours} 1`, `${other} 2`, `${kept} 3`, '3 unknown files, 6 bytes.'].sort(),
    );
    expect(await orphanBytes()).toBe(6);
    expect(await run('--delete', ours, other)).toEqual({ code: 0, output: 'Deleted 2 files.\n' });
    expect(await found()).toEqual([{ name: kept, bytes: 3 }]);
    await run('--delete', kept);
    await run();
    expect(await orphanBytes()).toBe(0);
  });

  it('are not deleted beside a name that is a photograph’s, that is unknown, or that is none', {
    tags: ['durability.store.3', 'durability.store.4'],
  }, async () => {
    const orphan = `${coupleId}/${newStem()}.jpg`;
    await store(orphan, 'x');
    const { fileName } = await app.db.read.selectFrom('memories').select('fileName').executeTakeFirstOrThrow();
    const before = (await Array.fromAsync(deps.files.list())).sort();
    for (const name of [`${coupleId}/${fileName}`, `${coupleId}/${newStem()}.jpg`, '../album.sqlite', 'store.json']) {
      const { code, output } = await run('--delete', orphan, name);
      expect([code, output]).toEqual([1, `${name} is not an unknown file. Nothing was deleted.\n`]);
    }
    expect((await run('--delete')).code).toBe(1);
    expect((await Array.fromAsync(deps.files.list())).sort()).toEqual(before);
    await run('--delete', orphan);
  });

  it('are not deleted while the store belongs to another database, which may know them', {
    tags: ['durability.store.3', 'durability.store.4'],
  }, async () => {
    const orphan = `${coupleId}/${newStem()}.jpg`;
    await store(orphan, 'x');
    const label = await deps.files.readLabel();
    await deps.files.writeLabel(JSON.stringify({ id: randomUUID(), sweeps: 0 }));
    const { code, output } = await run('--delete', orphan);
    expect([code, output]).toEqual([1, expect.stringContaining('belongs to another database')]);
    expect(await deps.files.size(orphan)).toBe(1);
    await deps.files.writeLabel(label ?? '');
    await run('--delete', orphan);
  });

  it('are not those of a space that is being deleted', async () => {
    const { ada: eve } = await registerCouple(app);
    await addPhoto(eve, (await planDate(eve)).id, 3);
    await app.db.write((tx) => deleteCouple(tx, eve.user.couple.id as CoupleId, Date.now()));
    expect(await found()).toEqual([]);
  });
});
