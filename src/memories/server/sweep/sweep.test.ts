import { utimes, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { countQueries } from '../../../../tests/support/count-queries.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { addPhoto, planDateId } from '../../../../tests/support/factories.ts';
import { makeJpeg } from '../../../../tests/support/images.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { refuseDeletes } from '../../../../tests/support/refuse-deletes.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { createUpload, readUploadStatus, sendPart, uploadIdOf } from '../../../../tests/support/tus.ts';
import { untilSwept } from '../../../../tests/support/until-swept.ts';
import type { UserId } from '../../../base/ids.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { finishUpload } from '../../../uploads/server/resumable/finish-upload.ts';
import { sweepUploads } from '../../../uploads/server/resumable/sweep-uploads.ts';
import { storePart } from '../../../uploads/server/resumable/upload-parts.ts';
import { findUpload } from '../../../uploads/server/resumable/upload-store.ts';
import { addPendingFiles } from '../pending-file-store.ts';
import { PreviewMaker } from '../pictures/preview-maker.ts';
import { newStem } from '../stored-names.ts';
import { findOrphans } from './orphans.ts';
import { emptyTrash, startSweeps, sweep, sweepPendingFiles, sweepTemporaries } from './sweep.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describeOnBoth('the sweep', (engine) => {
  let app: TestApp;
  let deps: Deps;
  let ada: Partner;
  let dateId: string;
  /** The offset of the server's clock in milliseconds. The ages of files are real. */
  let ahead = 0;
  const now = () => Date.now() + ahead;
  beforeAll(async () => {
    app = await startTestApp(engine, { now });
    // The clock must not move while the server's own sweep holds its lease.
    await untilSwept(app);
    ({ ada } = await registerCouple(app));
    dateId = await planDateId(ada);
    deps = await depsOf(app, now);
  });
  beforeEach(() => {
    ahead = 0;
  });
  afterAll(() => app.close());

  const couple = () => ada.user.couple.id as Parameters<typeof addPendingFiles>[1];
  /** Lists the stored files, except for previews, which are made in the background. */
  const stored = async () => (await Array.fromAsync(deps.files.list())).filter((name) => !/preview/.test(name)).sort();
  const addPendingFile = (stem: string) =>
    app.db.write((tx) => addPendingFiles(tx, couple(), { stems: [stem], now: now() }));
  /** The pending files, except for previews, which are made in the background. */
  const pendingFiles = async () =>
    (await app.db.read.selectFrom('pendingFiles').select('fileName').execute())
      .map(({ fileName }) => fileName)
      .filter((name) => !name.includes('preview'));
  /** Stores the files of an upload whose server died before it wrote the row. */
  const leave = async (stem: string) => {
    const names = [`${couple()}/${stem}.jpg`, `${couple()}/${stem}.thumbnail.webp`];
    for (const name of names) await deps.files.putBytes(name, Buffer.from('x'), 'image/jpeg');
    return names;
  };

  it('removes the files of an interrupted upload after a day, and no younger ones', async () => {
    const memory = await addPhoto(ada, dateId, 1);
    const before = await stored();
    const stem = newStem();
    await addPendingFile(stem);
    const left = await leave(stem);
    await sweepPendingFiles(deps);
    expect(await stored()).toEqual([...before, ...left].sort());
    ahead += DAY + 60_000;
    await sweepPendingFiles(deps);
    expect(await stored()).toEqual(before);
    expect(await pendingFiles()).toEqual([]);
    expect((await ada.call('GET /api/Memories/{id}', { params: { id: memory.id } })).status).toBe(200);
  });

  it('saves no memory from an upload that resumes while its files are removed', {
    tags: ['durability.store.3'],
  }, async () => {
    const photo = await makeJpeg({ seed: 7 });
    const id = uploadIdOf(await createUpload(ada, photo.length, { dateId }));
    const upload = await findUpload(app.db.read, couple(), id);
    if (!upload) throw new Error('It was begun');
    await storePart(deps, upload, 0, Readable.from([photo]));
    // After storing the original, the upload's node is suspended for more than a day.
    const [stopped, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const put: Deps['files']['put'] = async (...args) => {
      const path = await deps.files.put(...args);
      stopped.resolve();
      await resumed.promise;
      return path;
    };
    const userId = ada.user.id as UserId;
    const { id: sessionId } = await app.db.read
      .selectFrom('sessions')
      .select('id')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    const session = { coupleId: couple(), userId, sessionId };
    const previewMaker = new PreviewMaker(deps);
    const before = await pendingFiles();
    const keeping = finishUpload({ ...deps, files: { ...deps.files, put } }, previewMaker, { session, upload });
    const refused = keeping.catch((error: unknown) => error);
    await stopped.promise;
    const [stem = ''] = (await pendingFiles()).filter((one) => !before.includes(one));
    ahead += DAY + 60_000;
    // It resumes after the sweep has removed the original, but not yet the row in pendingFiles.
    const remove: Deps['files']['remove'] = async (name) => {
      await deps.files.remove(name);
      if (!name.endsWith(`${stem}.jpg`)) return;
      resumed.resolve();
      await refused;
    };
    await sweepPendingFiles({ ...deps, files: { ...deps.files, remove } });
    expect(await refused).toMatchObject({ status: 503 });
    const rows = await app.db.read.selectFrom('memories').select('fileName').execute();
    expect(rows.filter(({ fileName }) => fileName.startsWith(stem))).toEqual([]);
    expect((await stored()).filter((name) => name.includes(stem))).toEqual([]);
    expect(await pendingFiles()).toEqual(before);
    await sweepUploads(deps);
    await previewMaker.stop();
  });

  it('checks again, and never removes files that have a row', async () => {
    const memory = await addPhoto(ada, dateId, 2);
    const before = await stored();
    // A pending file that was not cleared, although the memory's row was written.
    await addPendingFile(memory.fileName.replace('.jpg', ''));
    ahead += 60 * DAY;
    await sweepPendingFiles(deps);
    expect(await stored()).toEqual(before);
    expect(await pendingFiles()).toEqual([]);
  });

  it('does not touch files of memories in the trash', async () => {
    const memory = await addPhoto(ada, dateId, 3);
    await ada.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
    const before = await stored();
    await addPendingFile(memory.fileName.replace('.jpg', ''));
    ahead += 2 * DAY;
    await sweepPendingFiles(deps);
    expect(await stored()).toEqual(before);
  });

  it('deletes nothing that no row names, however old it is', {
    tags: ['durability.store.3', 'durability.store.4'],
  }, async () => {
    const left = await leave(newStem());
    for (let months = 0; months < 3; months += 1) {
      await sweep(deps, () => false, [sweepUploads]);
      ahead += 31 * DAY;
    }
    expect(await stored()).toEqual(expect.arrayContaining(left));
    for (const name of left) await deps.files.remove(name);
  });

  it('removes a preview that was stored while its photograph was deleted, if its node died', {
    tags: ['durability.store.3', 'memories.pictures.16'],
  }, async () => {
    const memory = await addPhoto(ada, dateId, 21);
    const [row] = await app.db.read.selectFrom('memories').selectAll().where('id', '=', memory.id).execute();
    if (!row) throw new Error('It was added');
    const preview = `${couple()}/${row.fileName.slice(0, 32)}.preview.webp`;
    await expect.poll(() => deps.files.size(preview)).not.toBeNull();
    await deps.files.remove(preview);
    // The photograph is deleted for good between the two steps of its preview, and then the node dies.
    const putBytes: Deps['files']['putBytes'] = async (...args) => {
      await ada.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
      await ada.call('DELETE /api/Trash/{id}', { params: { id: memory.id } });
      await expect.poll(() => deps.files.size(`${couple()}/${row.fileName}`)).toBeNull();
      await deps.files.putBytes(...args);
      throw new Error('killed');
    };
    const dying = new PreviewMaker({ ...deps, files: { ...deps.files, putBytes } });
    await expect(dying.make(row, 'preview')).rejects.toThrow('killed');
    await dying.stop();
    expect(await deps.files.size(preview)).not.toBeNull();
    expect((await Array.fromAsync(findOrphans(deps))).map(({ name }) => name)).not.toContain(preview);
    ahead += DAY + 60_000;
    await sweepPendingFiles(deps);
    expect(await deps.files.size(preview)).toBeNull();
    expect(await pendingFiles()).toEqual([]);
  });

  it('deletes unfinished resumable uploads after a day, and no younger ones', {
    tags: ['uploads.parts.5'],
  }, async () => {
    const before = await stored();
    const old = uploadIdOf(await createUpload(ada, 100, { dateId }));
    await sendPart(ada, old, 0, Buffer.alloc(50));
    ahead += DAY - 60_000;
    const young = uploadIdOf(await createUpload(ada, 100, { dateId }));
    await sendPart(ada, young, 0, Buffer.alloc(50));
    await sweepUploads(deps);
    expect(await stored()).toHaveLength(before.length + 2);
    ahead += 120_000;
    await sweepUploads(deps);
    expect(await stored()).toHaveLength(before.length + 1);
    expect((await readUploadStatus(ada, old)).status).toBe(404);
    expect(await readUploadStatus(ada, young)).toMatchObject({ status: 200, offset: 50 });
    ahead += DAY;
    await sweepUploads(deps);
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

  it('empties the trash after thirty days, but not of what was restored', { tags: ['memories.trash.5'] }, async () => {
    const other = await planDateId(ada);
    const [gone, kept, along] = [
      await addPhoto(ada, dateId, 4),
      await addPhoto(ada, dateId, 5),
      await addPhoto(ada, other, 6),
    ];
    const names = async (fileName: string) =>
      (await Array.fromAsync(deps.files.list())).filter((name) => name.includes(fileName.slice(0, 32)));
    for (const id of [gone.id, kept.id]) await ada.call('DELETE /api/Memories/{id}', { params: { id } });
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: other } });
    ahead += 30 * DAY - HOUR;
    await ada.call('POST /api/Trash/{id}/restore', { params: { id: kept.id } });
    await emptyTrash(deps);
    expect(await names(gone.fileName)).not.toEqual([]);
    ahead += 2 * HOUR;
    await emptyTrash(deps);
    // A preview that is stored meanwhile is removed by its preview maker.
    await expect.poll(() => names(gone.fileName)).toEqual([]);
    await expect.poll(() => names(along.fileName)).toEqual([]);
    expect(await names(kept.fileName)).not.toEqual([]);
    expect(await app.db.read.selectFrom('dates').select('id').where('id', '=', other).execute()).toEqual([]);
    expect((await ada.call('GET /api/Memories/{id}', { params: { id: kept.id } })).status).toBe(200);
  });

  it('finds what is due of all couples by one query each', { tags: ['running.load.3'] }, async () => {
    await registerCouple(app);
    expect(await countQueries(app, () => emptyTrash(deps))).toBe(2);
    expect(await countQueries(app, () => sweepPendingFiles(deps))).toBe(1);
    expect(await countQueries(app, () => sweepUploads(deps))).toBe(1);
  });

  it('goes on in batches until nothing is left, but not without its lease', { tags: ['running.load.3'] }, async () => {
    const stems = Array.from({ length: 1_201 }, newStem);
    await app.db.write((tx) => addPendingFiles(tx, couple(), { stems, now: now() }));
    ahead += 2 * DAY;
    const storeless = { ...deps, files: { ...deps.files, remove: async () => undefined } };
    await sweepPendingFiles(storeless, () => false);
    expect(await pendingFiles()).toEqual(expect.arrayContaining(stems));
    await sweepPendingFiles(storeless);
    expect(await pendingFiles()).toEqual([]);
  });

  it('knows the files of a date with more photos than one statement can record', {
    tags: ['durability.store.10'],
  }, async () => {
    const stems = Array.from({ length: 24_000 }, newStem);
    await app.db.write((tx) => addPendingFiles(tx, couple(), { stems, now: now() }));
    expect(await pendingFiles()).toHaveLength(stems.length);
    await app.db.write((tx) => tx.deleteFrom('pendingFiles').execute());
  });

  it('goes on with the other pending files if some cannot be removed, and tries those again a day later', {
    tags: ['durability.store.9'],
  }, async () => {
    const [stuck, next] = [newStem(), newStem()];
    await addPendingFile(stuck);
    ahead += 1000;
    await addPendingFile(next);
    ahead += DAY + 60_000;
    const remove: Deps['files']['remove'] = async (name) => {
      if (name.includes(stuck)) throw new Error('this file is stuck');
      await deps.files.remove(name);
    };
    await sweepPendingFiles({ ...deps, files: { ...deps.files, remove } });
    expect(await pendingFiles()).toEqual([stuck]);
    ahead += DAY + 60_000;
    await sweepPendingFiles(deps);
    expect(await pendingFiles()).toEqual([]);
  });

  it('goes on with the trash of other couples if one entry cannot be deleted, and tries that one again', {
    tags: ['durability.store.9'],
  }, async () => {
    const { ada: eve } = await registerCouple(app);
    for (const [who, date] of [
      [ada, dateId],
      [eve, await planDateId(eve)],
    ] as const) {
      const { id } = await addPhoto(who, date, 90);
      await who.call('DELETE /api/Memories/{id}', { params: { id } });
      ahead += 1000;
    }
    ahead += 31 * DAY;
    const inTrash = async () => {
      const rows = app.db.read.selectFrom('memories').select('coupleId').where('deletedAt', 'is not', null);
      return (await rows.execute()).map((row) => row.coupleId as string);
    };
    const mend = await refuseDeletes(app.db, 'memories', couple());
    await emptyTrash(deps);
    expect(await inTrash()).toEqual([couple()]);
    await mend();
    await emptyTrash(deps);
    expect(await inTrash()).toEqual([]);
  });

  it('continues after a step fails, and stops once it is asked to', async () => {
    const broken: Deps = { ...deps, files: { ...deps.files, leftovers: () => Promise.reject(new Error('no disk')) } };
    const stem = newStem();
    await addPendingFile(stem);
    ahead += 2 * DAY;
    const sweeps = startSweeps(broken, [sweepUploads]);
    await expect.poll(pendingFiles, { timeout: 10_000 }).not.toContain(stem);
    await sweeps.stop();
  });
});
