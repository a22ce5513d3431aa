import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../tests/support/event-stream.ts';
import { addPhoto, completeDate, planDate } from '../../../tests/support/factories.ts';
import { makeJpeg } from '../../../tests/support/images.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { upload } from '../../../tests/support/upload.ts';
import { DAY } from '../../base/durations.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const OWN = '2019-06-01T18:00:00.000Z';
const iso = (ms: number) => new Date(ms).toISOString();

describeOnBoth('correcting a memory', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let here: string;
  let there: string;
  let now = NOON;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now });
  });
  beforeEach(async () => {
    now = NOON;
    ({ ada, ben } = await registerCouple(app));
    here = (await completeDate(ada, { idea: { title: 'Here' }, at: NOON - 3 * DAY, minutes: 60 })).id;
    there = (await completeDate(ada, { idea: { title: 'There' }, at: NOON - 9 * DAY, minutes: 60 })).id;
  });
  afterAll(() => app.close());

  const correct = (id: string, body: object, { who = ada, tag }: { who?: Partner; tag?: string } = {}) =>
    who.request('PUT /api/Memories/{id}', { params: { id }, body }, tag ? { headers: { 'if-match': tag } } : {});
  const read = (id: string, who: Partner = ben) => who.call('GET /api/Memories/{id}', { params: { id } });
  const withOwnTime = async () =>
    (await upload(ada, await makeJpeg({ seed: 1, takenAt: '2019:06:01 18:00:00' }), { dateId: here })).body;

  it('changes caption, date and capture time, and tells the partner', { tags: ['memories.edit.1'] }, async () => {
    const memory = await addPhoto(ada, here, 1, 'The hole beach');
    expect(memory.updatedAt).toBe(memory.uploadedAt);
    now += 1000;
    const events = await subscribeToEvents(ben);
    const takenAt = '2018-05-01T10:00:00.000Z';
    const answer = await correct(memory.id, { caption: ' The whole beach ', plannedDateId: there, takenAt });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...memory,
        caption: 'The whole beach',
        plannedDateId: there,
        takenAt,
        happenedAt: takenAt,
        updatedAt: iso(now),
      },
    ]);
    expect(await events.next()).toEqual({ entity: 'memory', id: memory.id, action: 'updated', by: ada.user.id });
    events.close();
    const seen = await read(memory.id);
    expect([seen.body, seen.headers.get('etag')]).toEqual([answer.body, answer.headers.get('etag')]);
    const { body: dates } = await ben.call('GET /api/PlannedDates');
    expect(dates.map(({ id, memoryCount }) => [id, memoryCount])).toEqual([
      [here, 0],
      [there, 1],
    ]);
  });

  it('keeps what is absent, clears a blank caption, and gives the file’s own time back', {
    tags: ['memories.edit.1'],
  }, async () => {
    const { id } = await withOwnTime();
    await correct(id, { caption: 'Us', takenAt: iso(NOON) });
    expect((await correct(id, {})).body).toMatchObject({ caption: 'Us', takenAt: iso(NOON), happenedAt: iso(NOON) });
    expect((await correct(id, { plannedDateId: null })).body).toMatchObject({ plannedDateId: here });
    const cleared = await correct(id, { caption: ' ', takenAt: null });
    expect(cleared.body).toMatchObject({ caption: null, takenAt: OWN, happenedAt: OWN });
    // Nothing changes any more, so the version stays.
    const again = await correct(id, { caption: null, takenAt: OWN });
    expect(again.headers.get('etag')).toBe(cleared.headers.get('etag'));
    const plain = await addPhoto(ada, here, 2);
    const moved = await correct(plain.id, { plannedDateId: there });
    expect([plain.happenedAt, moved.body]).toMatchObject([iso(NOON - 3 * DAY), { happenedAt: iso(NOON - 9 * DAY) }]);
  });

  it('refuses a stale edit, but not because its date has moved in time', { tags: ['memories.edit.2'] }, async () => {
    const { id } = await addPhoto(ada, here, 1);
    const tag = (await read(id)).headers.get('etag') ?? '';
    const times = { actualStartTime: '2015-01-01T10:00:00Z', actualEndTime: '2015-01-01T11:00:00Z' };
    await ben.call('PUT /api/PlannedDates/{id}/record', { params: { id: here }, body: times });
    expect((await read(id)).body.happenedAt).toBe('2015-01-01T10:00:00.000Z');
    expect((await correct(id, { caption: 'Ours' }, { tag })).status).toBe(200);
    expect((await correct(id, { caption: 'Mine' }, { tag, who: ben })).status).toBe(412);
    expect((await read(id)).body.caption).toBe('Ours');
  });

  it.each([
    [{ caption: 'a'.repeat(501) }, 400],
    [{ takenAt: '1825-12-31T23:59:59Z' }, 400],
    [{ takenAt: iso(NOON + DAY + 1) }, 400],
    [{ takenAt: 'yesterday' }, 400],
    [{ plannedDateId: '019ab3c4-1111-7222-8333-444455556666' }, 404],
    [{ plannedDateId: 'nonsense', takenAt: 'yesterday' }, 404],
  ])('refuses %j', { tags: ['memories.edit.3'] }, async (body, status) => {
    const memory = await addPhoto(ada, here, 1);
    expect((await correct(memory.id, body)).status).toBe(status);
    expect((await read(memory.id)).body).toEqual(memory);
  });

  it('refuses a date that takes no memories or has the photograph', { tags: ['memories.edit.3'] }, async () => {
    const memory = await addPhoto(ada, here, 1);
    await addPhoto(ada, there, 1);
    const twin = await correct(memory.id, { plannedDateId: there });
    expect([twin.status, twin.problem.message]).toEqual([409, 'This photograph is already there.']);
    const cancelled = await planDate(ada);
    await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: cancelled.id } });
    expect((await correct(memory.id, { plannedDateId: cancelled.id })).status).toBe(409);
    const gone = await addPhoto(ada, here, 2);
    await ada.call('DELETE /api/Memories/{id}', { params: { id: gone.id } });
    expect((await correct(gone.id, { caption: 'Us' })).status).toBe(404);
  });

  it('keeps surprises: none is a target, and what leaves one is new to the partner', {
    tags: ['memories.edit.4'],
  }, async () => {
    const surprise = await planDate(ada, { at: NOON + DAY, surprise: true });
    const memory = await addPhoto(ada, here, 1);
    expect((await correct(memory.id, { plannedDateId: surprise.id })).status).toBe(409);
    expect((await correct(memory.id, { plannedDateId: surprise.id }, { who: ben })).status).toBe(409);
    const secret = await addPhoto(ada, surprise.id, 2);
    expect((await correct(secret.id, { caption: 'Found' }, { who: ben })).status).toBe(404);
    const [theirs, own] = [await subscribeToEvents(ben), await subscribeToEvents(ada)];
    await correct(secret.id, { caption: 'For you' });
    await correct(secret.id, { plannedDateId: there });
    // The second subscription is known to the first by an idea.
    const nextOf = async (stream: typeof own) => {
      for (let change = await stream.next(); ; change = await stream.next()) if (change.id === secret.id) return change;
    };
    expect(await nextOf(theirs)).toMatchObject({ entity: 'memory', action: 'created' });
    expect([await nextOf(own), await nextOf(own)].map(({ action }) => action)).toEqual(['updated', 'updated']);
    theirs.close();
    own.close();
    expect((await read(secret.id)).body.caption).toBe('For you');
  });
});
