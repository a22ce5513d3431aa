import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../tests/support/event-stream.ts';
import { addIdea, addPhoto, completeDate, planDate, startDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { DAY, HOUR } from '../../base/durations.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const times = { actualStartTime: '2019-06-01T17:00:00.000Z', actualEndTime: '2019-06-01T20:00:00.000Z' };
const idea = { title: 'A swim in the lake', category: 'Outdoor' } as const;

describeOnBoth('a date that has happened', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let now = NOON;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now });
  });
  beforeEach(async () => {
    now = NOON;
    ({ ada, ben } = await registerCouple(app));
  });
  afterAll(() => app.close());

  const add = (body: object, key?: string) =>
    ada.request('POST /api/PlannedDates/past', { body }, key ? { headers: { 'idempotency-key': key } } : {});

  it('is added with a new idea, which is inactive, and announced to the partner', {
    tags: ['dates.past.1'],
  }, async () => {
    const events = await subscribeToEvents(ben);
    const answer = await ada.call('POST /api/PlannedDates/past', {
      body: { idea, ...times, location: ' By the lake ', notes: 'Cold!' },
    });
    expect(answer.status).toBe(201);
    const { body: date, headers } = answer;
    expect(headers.get('location')).toBe(`/api/PlannedDates/${date.id}`);
    expect(date).toMatchObject({
      status: 'Completed',
      plannedDateTime: times.actualStartTime,
      endDateTime: null,
      ...times,
      actualDuration: '3h',
      location: 'By the lake',
      notes: 'Cold!',
      surprise: null,
      dateIdea: { ...idea, description: null, plannedDatesCount: 1, lastPlannedDate: times.actualStartTime },
    });
    const ideaId = date.dateIdea.id ?? '';
    const [first, second] = [await events.next(), await events.next()];
    expect([first, second]).toEqual([
      { entity: 'dateIdea', id: ideaId, action: 'created', by: ada.user.id },
      { entity: 'plannedDate', id: date.id, action: 'created', by: ada.user.id },
    ]);
    events.close();
    const { body: seen } = await ben.call('GET /api/PlannedDates/{id}', { params: { id: date.id } });
    expect(seen).toEqual(date);
    expect((await ben.call('GET /api/DateIdeas/{id}', { params: { id: ideaId } })).body.isActive).toBe(false);
    const { body: stats } = await ben.call('GET /api/Stats');
    expect(stats).toMatchObject({ totalCompletedDates: 1, totalMinutes: 180 });
  });

  it('is added with one of our ideas, also an inactive one', { tags: ['dates.past.1'] }, async () => {
    const { id } = await addIdea(ada, { isActive: false });
    const { status, body } = await add({ dateIdeaId: id, ...times });
    expect([status, body]).toMatchObject([201, { dateIdea: { id } }]);
    const kept = await add({ idea: { ...idea, isActive: true }, ...times });
    expect(kept.status).toBe(201);
    const { body: active } = await ben.call('GET /api/DateIdeas/active');
    expect(active.map(({ title }) => title)).toEqual([idea.title]);
  });

  it('is created once with the same key', { tags: ['dates.past.1'] }, async () => {
    const key = crypto.randomUUID();
    const [first, again] = [await add({ idea, ...times }, key), await add({ idea, ...times }, key)];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect((await ada.call('GET /api/DateIdeas')).body).toHaveLength(1);
    expect((await add({ idea: { ...idea, title: 'Another' }, ...times }, key)).status).toBe(422);
  });

  it.each([
    [{}, 400, ['dateIdeaId']],
    [{ idea, dateIdeaId: 'ours' }, 400, ['dateIdeaId']],
    [{ idea: { title: ' ', category: 'Outdoor' } }, 400, ['idea.title']],
    [{ idea: { title: 'A swim' } }, 400, ['idea.category']],
    [{ idea, actualStartTime: '1899-12-31T23:59:59Z' }, 400, ['actualStartTime']],
    [{ idea, actualStartTime: new Date(NOON + 1).toISOString() }, 400, ['actualStartTime', 'actualEndTime']],
    [{ idea, actualEndTime: times.actualStartTime }, 400, ['actualEndTime']],
    [{ idea, actualEndTime: new Date(NOON + 301_000).toISOString() }, 400, ['actualEndTime']],
    [{ idea, actualEndTime: null }, 400, ['actualEndTime']],
    [{ idea, location: 'a'.repeat(301) }, 400, ['location']],
    [{ dateIdeaId: '019ab3c4-1111-7222-8333-444455556666' }, 404, []],
    [{ dateIdeaId: 'nonsense' }, 404, []],
  ])('is refused with %j', { tags: ['dates.past.1', 'dates.past.2'] }, async (change, status, fields) => {
    const ours = 'dateIdeaId' in change && change.dateIdeaId === 'ours' ? { dateIdeaId: (await addIdea(ada)).id } : {};
    const before = (await ada.call('GET /api/DateIdeas')).body.length;
    const answer = await add({ ...times, ...change, ...ours });
    expect([answer.status, answer.problem.errors.map(({ field }) => field)]).toEqual([status, fields]);
    expect((await ada.call('GET /api/PlannedDates')).body).toEqual([]);
    expect((await ada.call('GET /api/DateIdeas')).body).toHaveLength(before);
  });

  it('celebrates no milestone of long ago', { tags: ['stats.milestones.4'] }, async () => {
    await add({ idea, ...times });
    expect((await ada.call('GET /api/Stats/celebrations')).body).toEqual([]);
    expect((await ada.call('GET /api/Stats')).body.recentAchievements).toHaveLength(1);
  });

  const correct = (id: string, body: object, tag?: string) =>
    ada.request(
      'PUT /api/PlannedDates/{id}/record',
      { params: { id }, body },
      tag ? { headers: { 'if-match': tag } } : {},
    );

  it('is corrected: times, place and notes', { tags: ['dates.record.1', 'dates.record.2'] }, async () => {
    const end = NOON - DAY + 3 * HOUR;
    const { id } = await completeDate(ada, { at: NOON - DAY, end, minutes: 60, location: 'Arezzo', notes: 'Rain' });
    const before = await ada.request('GET /api/PlannedDates/{id}', { params: { id } });
    now += 1000;
    const events = await subscribeToEvents(ben);
    const answer = await correct(id, { ...times, location: 'Siena' }, before.headers.get('etag') ?? '');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      ...times,
      location: 'Siena',
      notes: null,
      plannedDateTime: times.actualStartTime,
      endDateTime: times.actualEndTime,
      updatedAt: new Date(now).toISOString(),
    });
    expect(await events.next()).toMatchObject({ entity: 'plannedDate', id, action: 'updated' });
    events.close();
    const after = await ben.request('GET /api/PlannedDates/{id}', { params: { id } });
    expect(after.headers.get('etag')).toBe(answer.headers.get('etag'));
    const stale = await correct(id, times, before.headers.get('etag') ?? '');
    expect(stale.status).toBe(412);
  });

  it('leaves a plan for another time as it is when it is corrected', { tags: ['dates.record.2'] }, async () => {
    const { id } = await startDate(ada, { at: NOON - HOUR });
    const body = { actualEndTime: new Date(NOON + 1).toISOString() };
    await ada.call('POST /api/PlannedDates/{id}/complete', { params: { id }, body });
    const { body: corrected } = await correct(id, times);
    expect(corrected).toMatchObject({ ...times, plannedDateTime: new Date(NOON - HOUR).toISOString() });
  });

  it('takes along the memories without a capture time when it is corrected', {
    tags: ['memories.happened.2'],
  }, async () => {
    const { id } = await completeDate(ada, { at: NOON - 5 * DAY, minutes: 60 });
    const memory = await addPhoto(ada, id);
    await correct(id, times);
    const { body } = await ben.call('GET /api/Memories/{id}', { params: { id: memory.id } });
    expect([memory.happenedAt, body.happenedAt]).toEqual([
      new Date(NOON - 5 * DAY).toISOString(),
      times.actualStartTime,
    ]);
  });

  it('is corrected only once it is completed, and within the rules', { tags: ['dates.record.1'] }, async () => {
    const planned = await planDate(ada);
    const running = await startDate(ada);
    for (const { id } of [planned, running]) {
      const { status, problem } = await correct(id, times);
      expect([status, problem.message]).toEqual([409, 'Only a completed date can be corrected.']);
    }
    const { id } = await completeDate(ada, { at: NOON - DAY, minutes: 60 });
    const refused = await correct(id, { ...times, actualEndTime: times.actualStartTime });
    expect([refused.status, refused.problem.errors.map(({ field }) => field)]).toEqual([400, ['actualEndTime']]);
    expect((await correct(planned.id, { ...times, actualEndTime: times.actualStartTime })).status).toBe(400);
  });
});
