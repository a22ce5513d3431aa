import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnBoth, type Engine, postgresAndS3 } from '../../../tests/support/engines.ts';
import { planDate, planDateId } from '../../../tests/support/factories.ts';
import { makeHalfJpeg, makeJpeg } from '../../../tests/support/images.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { depsOf } from '../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { createUpload, sendPart, uploadIdOf } from '../../../tests/support/tus.ts';
import { upload } from '../../../tests/support/upload.ts';
import type { CoupleId } from '../../base/ids.ts';
import { formatSize } from '../../base/number-texts.ts';
import { recountKeptBytes } from '../../keeping/server/integrity/recount-kept-bytes.ts';
import { setQuota } from '../../memories/server/quota/quota.ts';

/** What the quota of the server is in these tests, large enough for a few photographs. */
const QUOTA = 1024 * 1024;

describeOnBoth('the quota', (engine: Engine) => {
  let app: TestApp;
  let second: TestApp;
  let ada: Partner;
  let ben: Partner;
  let dateId: string;
  let seed = 7000;
  beforeAll(async () => {
    app = await startTestApp(engine, { env: { QUOTA: '1MB' } });
    // SQLite has one node.
    second =
      engine === postgresAndS3 ? await startTestApp(engine, { env: { QUOTA: '1MB' }, storage: app.storage }) : app;
  });
  beforeEach(async () => {
    ({ ada, ben } = await registerCouple(app));
    dateId = await planDateId(ada, 'The lake');
  });
  afterAll(async () => {
    if (second !== app) await second.close();
    await app.close();
  });

  const coupleId = () => ada.user.couple.id as CoupleId;
  const limit = (quota: number | 'none' | 'default') => app.db.write((tx) => setQuota(tx, coupleId(), quota));
  const photo = () => makeJpeg({ seed: (seed += 1), width: 320, height: 240 });
  const infoOf = async (who: Partner) => {
    const { usedBytes, quotaBytes } = (await who.call('GET /api/Memories/upload-info')).body;
    return { usedBytes, quotaBytes };
  };
  const stored = async () =>
    (
      await app.db.read
        .selectFrom('couples')
        .select('photoBytes')
        .where('id', '=', coupleId())
        .executeTakeFirstOrThrow()
    ).photoBytes;
  const filesOf = async () => Array.fromAsync((await depsOf(app)).files.list(coupleId()));
  const full = (used: number, quota: number) => ({
    status: 507,
    type: 'quota',
    title: 'Space full',
    message: `Our space is full: ${formatSize(used)} of ${formatSize(quota)}.`,
  });

  it('refuses the photograph that would pass it, as a form and in parts, and stores nothing', {
    tags: ['uploads.quota.1', 'uploads.quota.7'],
  }, async () => {
    const [first, next] = [await photo(), await photo()];
    await upload(ada, first, { dateId });
    await expect.poll(async () => (await filesOf()).length).toBe(3);
    await limit(first.length + next.length - 1);
    const refused = full(first.length, first.length + next.length - 1);
    expect((await upload(ada, next, { dateId })).problem).toMatchObject(refused);
    expect((await createUpload(ada, next.length, { dateId })).problem).toMatchObject(refused);
    expect((await filesOf()).length).toBe(3);
    expect(await stored()).toBe(first.length);
    await limit(first.length + next.length);
    expect((await upload(ada, next, { dateId })).status).toBe(201);
    expect(await infoOf(ada)).toEqual({ usedBytes: await stored(), quotaBytes: await stored() });
  });

  it('goes by QUOTA, or by what the operator has set for the couple', { tags: ['uploads.quota.2'] }, async () => {
    expect((await infoOf(ada)).quotaBytes).toBe(QUOTA);
    await limit(5);
    expect((await infoOf(ben)).quotaBytes).toBe(5);
    await limit('none');
    expect((await infoOf(ada)).quotaBytes).toBeNull();
    expect((await upload(ada, await photo(), { dateId })).status).toBe(201);
    await limit('default');
    expect((await infoOf(ada)).quotaBytes).toBe(QUOTA);
  });

  it('is the last of all refusals, and no answer to what is here already', { tags: ['uploads.quota.1'] }, async () => {
    const [key, one] = [crypto.randomUUID(), await photo()];
    const first = await upload(ada, one, { dateId }, key);
    const cancelled = await planDate(ada);
    await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: cancelled.id } });
    await limit(0);
    expect((await upload(ada, await photo(), { dateId: crypto.randomUUID() })).status).toBe(404);
    expect((await upload(ada, Buffer.from('not a photograph'), { dateId })).status).toBe(415);
    expect((await upload(ada, await makeHalfJpeg(), { dateId })).status).toBe(400);
    expect((await upload(ada, await photo(), { dateId }, key)).status).toBe(422);
    expect((await upload(ada, await photo(), { dateId: cancelled.id })).status).toBe(409);
    expect((await createUpload(ada, 9, { dateId: cancelled.id })).status).toBe(409);
    expect((await upload(ada, await photo(), { dateId })).status).toBe(507);

    expect((await upload(ada, one, { dateId }, key)).body.id).toBe(first.body.id);
    expect((await upload(ada, one, { dateId })).status).toBe(200);
    const again = uploadIdOf(await createUpload(ada, one.length, { dateId, key }));
    expect((await sendPart(ada, again, 0, one)).status).toBe(204);
  });

  it('keeps the parts of a photograph that found no room, until there is some', {
    tags: ['uploads.quota.7'],
  }, async () => {
    const bytes = await photo();
    const id = uploadIdOf(await createUpload(ada, bytes.length, { dateId }));
    await limit(bytes.length - 1);
    expect((await sendPart(ada, id, 0, bytes)).status).toBe(507);
    await limit(bytes.length);
    expect((await sendPart(ada, id, bytes.length, Buffer.alloc(0))).status).toBe(204);
    expect(await stored()).toBe(bytes.length);
  });

  it('is never passed by uploads at the same time, on one node or two', { tags: ['uploads.quota.4'] }, async () => {
    const photos = await Promise.all(Array.from({ length: 8 }, photo));
    const largest = Math.max(...photos.map(({ length }) => length));
    const quota = 3 * largest;
    await limit(quota);
    const other = ben.at(second);
    const inParts = async (bytes: Buffer) => {
      const created = await createUpload(other, bytes.length, { dateId });
      if (created.status !== 201) return created.status;
      return (await sendPart(other, uploadIdOf(created), 0, bytes)).status;
    };
    const statuses = await Promise.all(
      photos.map(async (bytes, index) =>
        index % 2 === 0 ? (await upload(ada, bytes, { dateId })).status : inParts(bytes),
      ),
    );
    const saved = photos.filter((_, index) => statuses[index] !== 507).map(({ length }) => length);
    const sum = saved.reduce((total, length) => total + length, 0);
    expect(saved.length).toBeGreaterThanOrEqual(3);
    expect(sum).toBeLessThanOrEqual(quota);
    expect([await stored(), (await infoOf(ada)).usedBytes]).toEqual([sum, sum]);
  });

  it('counts the trash, and what is deleted for good no more', { tags: ['uploads.quota.2'] }, async () => {
    const bytes = await photo();
    const { body: memory } = await upload(ada, bytes, { dateId });
    await ada.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
    expect([(await infoOf(ada)).usedBytes, await stored()]).toEqual([bytes.length, bytes.length]);
    await ada.call('DELETE /api/Trash/{id}', { params: { id: memory.id } });
    expect([(await infoOf(ada)).usedBytes, await stored()]).toEqual([0, 0]);
    await upload(ada, bytes, { dateId });
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: dateId } });
    expect(await stored()).toBe(bytes.length);
    await ada.call('DELETE /api/Trash/{id}', { params: { id: dateId } });
    expect(await stored()).toBe(0);
  });

  it('counts a surprise, of whose photographs the other hears no number', {
    tags: ['uploads.quota.5'],
  }, async () => {
    const surprise = await planDate(ben, { surprise: true });
    const [theirs, hers] = [await photo(), await photo()];
    await upload(ben, theirs, { dateId: surprise.id });
    await upload(ada, hers, { dateId });
    expect([(await infoOf(ada)).usedBytes, (await infoOf(ben)).usedBytes]).toEqual([
      hers.length,
      hers.length + theirs.length,
    ]);
    await limit(hers.length + theirs.length);
    const more = await photo();
    expect((await upload(ada, more, { dateId })).problem).toMatchObject(full(hers.length, hers.length + theirs.length));
    expect((await upload(ben, more, { dateId })).problem).toMatchObject(
      full(hers.length + theirs.length, hers.length + theirs.length),
    );
  });

  it('goes by what is counted again each night', { tags: ['uploads.quota.4'] }, async () => {
    const bytes = await photo();
    await upload(ada, bytes, { dateId });
    for (const wrong of [5, null]) {
      await app.db.write((tx) =>
        tx.updateTable('couples').set({ photoBytes: wrong }).where('id', '=', coupleId()).execute(),
      );
      await app.db.write((tx) => tx.deleteFrom('scheduledJobs').where('name', '=', 'recount').execute());
      await recountKeptBytes(await depsOf(app), () => false);
      expect(await stored()).toBe(bytes.length);
    }
    // An older node that added photographs has not counted them.
    await app.db.write((tx) =>
      tx.updateTable('couples').set({ photoBytes: null }).where('id', '=', coupleId()).execute(),
    );
    const next = await photo();
    await upload(ada, next, { dateId });
    expect(await stored()).toBe(bytes.length + next.length);
  });
});
