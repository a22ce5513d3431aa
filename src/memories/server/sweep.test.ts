import { utimes, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../tests/support/app.ts';
import { type Partner, registerCouple } from '../../../tests/support/client.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { planDate } from '../../../tests/support/memories.ts';
import { addPhoto } from '../../../tests/support/story.ts';
import { begin, idOf, sendPiece, standingOf } from '../../../tests/support/tus.ts';
import { readConfig } from '../../base/server/config.ts';
import type { Deps } from '../../base/server/deps.ts';
import { openFiles } from '../../base/server/files/open.ts';
import { openLocalLive } from '../../base/server/live.ts';
import { openIntents } from './intent-store.ts';
import { newStem } from './names.ts';
import { emptyTrash, startSweeps, sweepIntents, sweepStrays, sweepTemporaries, sweepUploads } from './sweep.ts';

const DAY = 86_400_000;

describeOnBoth('the sweep', (engine) => {
  let app: TestApp;
  let deps: Deps;
  let ada: Partner;
  let dateId: string;
  /** How far the server's clock is ahead; the files' ages are real. */
  let ahead = 0;
  const now = () => Date.now() + ahead;
  beforeAll(async () => {
    app = await startTestApp(engine, { now });
    ({ ada } = await registerCouple(app));
    dateId = await planDate(ada);
    const config = readConfig(app.place.env);
    const files = await openFiles(config);
    const { db, fastify } = app;
    const nothing = () => undefined;
    deps = { config, db, files, live: openLocalLive(), now, step: nothing, log: fastify.log, announce: nothing };
  });
  beforeEach(() => {
    ahead = 0;
  });
  afterAll(() => app.close());

  const couple = () => ada.user.couple.id as Parameters<typeof openIntents>[1];
  /** What is stored, but for the previews, which are made when there is time. */
  const stored = async () => (await Array.fromAsync(deps.files.list())).filter((name) => !/preview/.test(name)).sort();
  const openIntent = (stem: string) => app.db.write((tx) => openIntents(tx, couple(), { stems: [stem], now: now() }));
  const intents = async () =>
    (await app.db.read.selectFrom('intents').select('fileName').execute()).map((i) => i.fileName);
  /** The files of an upload whose server died before its row was written. */
  const leave = async (stem: string) => {
    const names = [`${couple()}/${stem}.jpg`, `${couple()}/${stem}.thumbnail.webp`];
    for (const name of names) await deps.files.putBytes(name, Buffer.from('x'), 'image/jpeg');
    return names;
  };

  it('removes the files of an interrupted upload after a day, and spares all that are younger', async () => {
    const memory = await addPhoto(ada, dateId, 1);
    const before = await stored();
    const stem = newStem();
    await openIntent(stem);
    const left = await leave(stem);
    await sweepIntents(deps);
    await sweepStrays(deps);
    expect(await stored()).toEqual([...before, ...left].sort());
    ahead += DAY + 60_000;
    await sweepIntents(deps);
    expect(await stored()).toEqual(before);
    expect(await intents()).toEqual([]);
    expect((await ada.call('GET /api/Memories/{id}', { params: { id: memory.id } })).status).toBe(200);
  });

  it('looks again, and never removes what has a row', async () => {
    const memory = await addPhoto(ada, dateId, 2);
    const before = await stored();
    // An intent whose end was lost, though its row was written.
    await openIntent(memory.fileName.replace('.jpg', ''));
    ahead += 60 * DAY;
    await sweepIntents(deps);
    await sweepStrays(deps);
    expect(await stored()).toEqual(before);
    expect(await intents()).toEqual([]);
  });

  it('does not touch what lies in the trash', async () => {
    const memory = await addPhoto(ada, dateId, 3);
    await ada.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
    const before = await stored();
    await openIntent(memory.fileName.replace('.jpg', ''));
    ahead += 2 * DAY;
    await sweepIntents(deps);
    await sweepStrays(deps);
    expect(await stored()).toEqual(before);
  });

  it('gives thirty days to files that nothing knows of', async () => {
    const before = await stored();
    const left = await leave(newStem());
    ahead += 29 * DAY;
    await sweepStrays(deps);
    expect(await stored()).toEqual([...before, ...left].sort());
    ahead += 2 * DAY;
    await sweepStrays(deps);
    expect(await stored()).toEqual(before);
  });

  it('forgets after a day what came in pieces and was not finished, and spares what is younger', async () => {
    const before = await stored();
    const old = idOf(await begin(ada, 100, { dateId }));
    await sendPiece(ada, old, 0, Buffer.alloc(50));
    ahead += DAY - 60_000;
    const young = idOf(await begin(ada, 100, { dateId }));
    await sendPiece(ada, young, 0, Buffer.alloc(50));
    await sweepUploads(deps);
    expect(await stored()).toHaveLength(before.length + 2);
    ahead += 120_000;
    await sweepUploads(deps);
    expect(await stored()).toHaveLength(before.length + 1);
    expect((await standingOf(ada, old)).status).toBe(404);
    expect(await standingOf(ada, young)).toMatchObject({ status: 200, offset: 50 });
    // A piece that nothing knows of any more, as after an older backup.
    await app.db.write((tx) => tx.deleteFrom('uploads').execute());
    ahead += 28 * DAY;
    await sweepStrays(deps);
    expect(await stored()).toHaveLength(before.length + 1);
    ahead += 2 * DAY;
    await sweepStrays(deps);
    expect(await stored()).toEqual(before);
  });

  it('removes temporary files after a day', async () => {
    const [old, young] = [deps.files.temporary(), deps.files.temporary()];
    for (const path of [old, young]) await writeFile(path, 'x');
    const yesterday = new Date(now() - DAY - 60_000);
    await utimes(old, yesterday, yesterday);
    await sweepTemporaries(deps);
    const left = (await deps.files.leftovers()).map((file) => file.path);
    expect(left).toContain(young);
    expect(left).not.toContain(old);
  });

  it('empties the trash after thirty days, and spares what was put back', async () => {
    const other = await planDate(ada);
    const [gone, kept, along] = [
      await addPhoto(ada, dateId, 4),
      await addPhoto(ada, dateId, 5),
      await addPhoto(ada, other, 6),
    ];
    const names = async (fileName: string) =>
      (await Array.fromAsync(deps.files.list())).filter((name) => name.includes(fileName.slice(0, 32)));
    for (const id of [gone.id, kept.id]) await ada.call('DELETE /api/Memories/{id}', { params: { id } });
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: other } });
    ahead += 30 * DAY - 1000;
    await ada.call('POST /api/Trash/{id}/restore', { params: { id: kept.id } });
    await emptyTrash(deps);
    expect(await names(gone.fileName)).not.toEqual([]);
    ahead += 2000;
    await emptyTrash(deps);
    expect(await names(gone.fileName)).toEqual([]);
    expect(await names(along.fileName)).toEqual([]);
    expect(await names(kept.fileName)).not.toEqual([]);
    expect(await app.db.read.selectFrom('dates').select('id').where('id', '=', other).execute()).toEqual([]);
    expect((await ada.call('GET /api/Memories/{id}', { params: { id: kept.id } })).status).toBe(200);
  });

  it('goes on though a part of it fails, and ends when it is told to', async () => {
    const broken: Deps = { ...deps, files: { ...deps.files, leftovers: () => Promise.reject(new Error('no disk')) } };
    const stem = newStem();
    await openIntent(stem);
    ahead += 2 * DAY;
    const sweeps = startSweeps(broken);
    await expect.poll(intents, { timeout: 10_000 }).not.toContain(stem);
    await sweeps.stop();
  });
});
