import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeOnBoth, sqliteAndDisk } from '../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../tests/support/event-stream.ts';
import { addPhoto, planDateId } from '../../../tests/support/factories.ts';
import { makeJpeg } from '../../../tests/support/images.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { depsOf } from '../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { upload } from '../../../tests/support/upload.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Memory } from '../contract.ts';
import { openFileRemover } from './file-remover.ts';
import { partsOf, stemOf } from './stored-names.ts';
import { sweepPendingFiles } from './sweep/sweep.ts';
import { erase } from './trash.ts';

const DAY = 86_400_000;
const UNKNOWN = '019ab3c4-1111-7222-8333-444455556666';
let seed = 1000;
const nextSeed = () => (seed += 1);

describeOnBoth('the trash', (engine) => {
  let app: TestApp;
  let now = Date.now();
  let ada: Partner;
  let ben: Partner;
  let dateId: string;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now });
  });
  beforeEach(async () => {
    ({ ada, ben } = await registerCouple(app));
    dateId = await planDateId(ada, 'The lake');
  });
  afterAll(() => app.close());

  const tick = () => (now += 1000);
  const by = (who: Partner) => ({ id: who.user.id, displayName: who.user.displayName });
  const trashOf = async (who: Partner) => (await who.call('GET /api/Trash')).body;
  const idsIn = async (who: Partner) => (await trashOf(who)).map((entry) => entry.id);
  const restore = (who: Partner, id: string) => who.call('POST /api/Trash/{id}/restore', { params: { id } });
  const eraseEntry = (who: Partner, id: string) => who.call('DELETE /api/Trash/{id}', { params: { id } });
  const deleteMemory = (who: Partner, id: string) => who.call('DELETE /api/Memories/{id}', { params: { id } });
  const deleteDate = (who: Partner, id: string) => who.call('DELETE /api/PlannedDates/{id}', { params: { id } });
  const statuses = (results: readonly { status: number }[]) =>
    results.map(({ status }) => status).sort((a, b) => a - b);
  const filesOf = async (who: Partner) => Array.fromAsync((await depsOf(app)).files.list(who.user.couple.id));
  /** The pending files, except for previews, which are made in the background. */
  const pendingFiles = async () =>
    (await app.db.read.selectFrom('pendingFiles').select('fileName').execute())
      .map(({ fileName }) => fileName)
      .filter((name) => !name.includes('preview'));
  const isShown = async (id: string) => (await ben.call('GET /api/Memories/{id}', { params: { id } })).status === 200;

  it('lists what each partner deleted, latest first, for thirty days', { tags: ['memories.trash.1'] }, async () => {
    const photo = await makeJpeg({ seed: nextSeed() });
    const named = (await upload(ada, photo, { dateId, name: 'at the lake.jpg' })).body;
    const captioned = await addPhoto(ada, dateId, nextSeed(), 'Us two');
    expect((await deleteMemory(ada, named.id)).status).toBe(204);
    const deletedAt = new Date(now).toISOString();
    tick();
    await deleteMemory(ben, captioned.id);
    tick();
    const other = await planDateId(ada, 'The museum');
    await deleteDate(ben, other);
    const entries = await trashOf(ada);
    expect(
      entries.map(({ id, kind, title, deletedBy, memoryCount }) => [id, kind, title, deletedBy, memoryCount]),
    ).toEqual([
      [other, 'plannedDate', 'The museum', by(ben), 0],
      [captioned.id, 'memory', 'Us two', by(ben), 1],
      [named.id, 'memory', 'at the lake.jpg', by(ada), 1],
    ]);
    expect(entries[2]).toMatchObject({
      deletedAt,
      expiresAt: new Date(Date.parse(deletedAt) + 30 * DAY).toISOString(),
    });
    expect(await trashOf(ben)).toEqual(entries);
  });

  it('removes a memory from everything else, and a second delete is 404', { tags: ['memories.trash.2'] }, async () => {
    const memory = await addPhoto(ada, dateId, nextSeed());
    expect((await deleteMemory(ben, memory.id)).status).toBe(204);
    expect((await deleteMemory(ben, memory.id)).status).toBe(404);
    expect(await isShown(memory.id)).toBe(false);
    expect((await ada.call('GET /api/Memories')).body).toEqual([]);
    expect((await ada.call('GET /api/PlannedDates/{id}', { params: { id: dateId } })).body.memoryCount).toBe(0);
    expect((await ada.call('GET /api/Stats')).body.totalMemories).toBe(0);
  });

  it('restores a memory as it was', { tags: ['memories.trash.3'] }, async () => {
    const memory = await addPhoto(ada, dateId, nextSeed(), 'Us two');
    await deleteMemory(ada, memory.id);
    const { status, body } = await restore(ben, memory.id);
    expect([status, body]).toEqual([200, memory]);
    expect((await ada.call('GET /api/Memories')).body).toEqual([memory]);
    expect(await trashOf(ada)).toEqual([]);
    expect((await restore(ben, memory.id)).status).toBe(404);
  });

  describe('a date with a memory, and one that was deleted before it,', () => {
    let early: Memory;
    let kept: Memory;
    beforeEach(async () => {
      [early, kept] = [await addPhoto(ada, dateId, nextSeed()), await addPhoto(ada, dateId, nextSeed())];
      await deleteMemory(ada, early.id);
      tick();
      await deleteDate(ada, dateId);
    });

    it('is one entry with its memory, which is nowhere else', { tags: ['memories.trash.3'] }, async () => {
      expect((await trashOf(ben)).map(({ id, memoryCount }) => [id, memoryCount])).toEqual([
        [dateId, 1],
        [early.id, 1],
      ]);
      expect(await isShown(kept.id)).toBe(false);
      expect((await deleteMemory(ada, kept.id)).status).toBe(404);
      expect((await restore(ada, kept.id)).status).toBe(404);
      expect((await eraseEntry(ada, kept.id)).status).toBe(404);
    });

    it('has to be restored before the one that was deleted earlier', { tags: ['memories.trash.4'] }, async () => {
      const refused = await restore(ada, early.id);
      expect([refused.status, refused.problem.message]).toEqual([
        409,
        expect.stringContaining('Put the date back first'),
      ]);
      await restore(ben, dateId);
      expect((await restore(ada, early.id)).status).toBe(200);
    });

    it('is restored as it was, with its memory', { tags: ['memories.trash.3'] }, async () => {
      const restored = await restore(ben, dateId);
      expect(restored.status).toBe(200);
      expect(restored.body).toMatchObject({
        id: dateId,
        status: 'Planned',
        memoryCount: 1,
        dateIdea: { title: 'The lake' },
      });
      const date = await ada.call('GET /api/PlannedDates/{id}', { params: { id: dateId } });
      expect(restored.body).toEqual(date.body);
      expect(restored.headers.get('etag')).toBe(date.headers.get('etag'));
      expect(await isShown(kept.id)).toBe(true);
      expect(await idsIn(ada)).toEqual([early.id]);
    });
  });

  it('does not restore a memory whose bytes were uploaded to the date again', {
    tags: ['memories.trash.4'],
  }, async () => {
    const photo = await makeJpeg({ seed: nextSeed(), width: 40, height: 30 });
    const first = (await upload(ada, photo, { dateId })).body;
    await deleteMemory(ada, first.id);
    const again = await upload(ada, photo, { dateId });
    expect(again.status).toBe(201);
    expect((await restore(ada, first.id)).status).toBe(409);
    await deleteMemory(ada, again.body.id);
    expect((await restore(ada, first.id)).status).toBe(200);
    expect((await restore(ada, again.body.id)).status).toBe(409);
  });

  it('deletes a memory permanently, including its files', { tags: ['memories.trash.5'] }, async () => {
    const memory = await addPhoto(ada, dateId, nextSeed());
    expect((await eraseEntry(ada, memory.id)).status).toBe(404);
    await (await fetch(app.url + memory.previewUrl, { headers: { cookie: ada.cookie } })).arrayBuffer();
    await deleteMemory(ada, memory.id);
    expect((await eraseEntry(ben, memory.id)).status).toBe(204);
    expect((await eraseEntry(ben, memory.id)).status).toBe(404);
    expect((await restore(ada, memory.id)).status).toBe(404);
    expect(await trashOf(ada)).toEqual([]);
    expect(await app.db.read.selectFrom('memories').select('id').where('id', '=', memory.id).execute()).toEqual([]);
    await expect.poll(pendingFiles).toEqual([]);
    // A preview that is stored meanwhile is removed by its preview maker.
    await expect.poll(() => filesOf(ada)).toEqual([]);
  });

  it('deletes a date permanently with all its memories, including those deleted before', {
    tags: ['memories.trash.5'],
  }, async () => {
    const [early, late] = [await addPhoto(ada, dateId, nextSeed()), await addPhoto(ada, dateId, nextSeed())];
    await deleteMemory(ada, early.id);
    await deleteDate(ada, dateId);
    expect((await eraseEntry(ben, dateId)).status).toBe(204);
    expect(await trashOf(ada)).toEqual([]);
    for (const id of [dateId, early.id, late.id]) expect((await restore(ada, id)).status).toBe(404);
    expect(await app.db.read.selectFrom('memories').select('id').where('dateId', '=', dateId).execute()).toEqual([]);
    expect(await app.db.read.selectFrom('dates').select('id').where('id', '=', dateId).execute()).toEqual([]);
    expect((await ada.call('GET /api/DateIdeas')).body).toHaveLength(1);
    // The next test reads the pending files of all couples.
    await expect.poll(pendingFiles).toEqual([]);
  });

  it('confirms a permanent deletion first, and then removes the files of a few photos at a time', {
    tags: ['durability.store.10'],
  }, async () => {
    const photos = Array.from({ length: 6 }, () => addPhoto(ada, dateId, nextSeed()));
    const stems = (await Promise.all(photos)).map(({ fileName }) => stemOf(fileName));
    await deleteDate(ada, dateId);
    const deps = await depsOf(app, () => now);
    const gate = Promise.withResolvers<void>();
    const begun = new Set<string>();
    const remove: Deps['files']['remove'] = async (name) => {
      begun.add(stemOf(partsOf(name).fileName));
      await gate.promise;
      return deps.files.remove(name);
    };
    const fileRemover = openFileRemover({ ...deps, files: { ...deps.files, remove } });
    const viewer = { coupleId: ada.user.couple.id as CoupleId, userId: ada.user.id as UserId };
    await erase(deps, fileRemover, viewer, { id: dateId, now });
    expect(await trashOf(ada)).toEqual([]);
    expect((await pendingFiles()).toSorted()).toEqual(stems.toSorted());
    expect(begun.size).toBe(4);
    // A server that stops finishes these.
    const stopped = fileRemover.stop();
    gate.resolve();
    await stopped;
    const left = stems.filter((stem) => !begun.has(stem));
    expect((await pendingFiles()).toSorted()).toEqual(left.toSorted());
    expect((await filesOf(ada)).length).toBeGreaterThan(0);
    // As after a crash, the sweep removes the others.
    await sweepPendingFiles({ ...deps, now: () => now + DAY + 60_000 });
    expect(await pendingFiles()).toEqual([]);
    await expect.poll(() => filesOf(ada)).toEqual([]);
  });

  it('hides entries after thirty days', { tags: ['memories.trash.5'] }, async () => {
    const memory = await addPhoto(ada, dateId, nextSeed());
    await deleteMemory(ada, memory.id);
    now += 30 * DAY - 1;
    expect(await idsIn(ada)).toEqual([memory.id]);
    now += 1;
    expect(await idsIn(ada)).toEqual([]);
    expect((await restore(ada, memory.id)).status).toBe(404);
  });

  it('shows nothing of another couple', async () => {
    const memory = await addPhoto(ada, dateId, nextSeed());
    const other = await planDateId(ada);
    await deleteMemory(ada, memory.id);
    await deleteDate(ada, other);
    const { ada: eve } = await registerCouple(app);
    expect(await trashOf(eve)).toEqual([]);
    for (const id of [memory.id, other, UNKNOWN, 'nonsense']) {
      expect((await restore(eve, id)).status).toBe(404);
      expect((await eraseEntry(eve, id)).status).toBe(404);
    }
    expect(await idsIn(ada)).toHaveLength(2);
  });

  it('lets only one of two concurrent requests succeed', async () => {
    const [put, thrown] = [await addPhoto(ada, dateId, nextSeed()), await addPhoto(ada, dateId, nextSeed())];
    for (const { id } of [put, thrown]) {
      const deletes = await Promise.all([deleteMemory(ada, id), deleteMemory(ben, id)]);
      expect(statuses(deletes)).toEqual([204, 404]);
    }
    const restores = await Promise.all([restore(ada, put.id), restore(ben, put.id)]);
    expect(statuses(restores)).toEqual([200, 404]);
    const erases = await Promise.all([eraseEntry(ada, thrown.id), eraseEntry(ben, thrown.id), restore(ben, thrown.id)]);
    expect(erases.filter(({ status }) => status < 300)).toHaveLength(1);
  });

  it('announces every change to the partner', async () => {
    const heard = await subscribeToEvents(ben);
    const told = async (entity: string, id: string, action: string) =>
      expect(await heard.next()).toEqual({ entity, id, action, by: ada.user.id });
    const memory = await addPhoto(ada, dateId, nextSeed());
    await told('memory', memory.id, 'created');
    await deleteMemory(ada, memory.id);
    await told('memory', memory.id, 'deleted');
    await restore(ada, memory.id);
    await told('memory', memory.id, 'created');
    // Deleting a date announces only the date, not its memories.
    await deleteDate(ada, dateId);
    await told('plannedDate', dateId, 'deleted');
    await restore(ada, dateId);
    await told('plannedDate', dateId, 'created');
    heard.close();
  });
});

describe('deleting permanently from a disk', () => {
  it('leaves no file', async () => {
    const app = await startTestApp(sqliteAndDisk);
    const { ada } = await registerCouple(app);
    const dateId = await planDateId(ada);
    const files = () => readdir(join(app.storage.env.DATA_DIR ?? '', 'photos', ada.user.couple.id));
    const [one, two] = [await addPhoto(ada, dateId, 1), await addPhoto(ada, dateId, 2)];
    for (const { previewUrl } of [one, two]) {
      await (await fetch(app.url + previewUrl, { headers: { cookie: ada.cookie } })).arrayBuffer();
    }
    expect(await files()).toHaveLength(6);
    await ada.call('DELETE /api/Memories/{id}', { params: { id: one.id } });
    expect(await files()).toHaveLength(6);
    await ada.call('DELETE /api/Trash/{id}', { params: { id: one.id } });
    await expect.poll(files).toHaveLength(3);
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: dateId } });
    await ada.call('DELETE /api/Trash/{id}', { params: { id: dateId } });
    await expect.poll(files).toEqual([]);
    await app.close();
  });
});
