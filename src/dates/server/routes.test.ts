import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countQueries } from '../../../tests/support/count-queries.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { addIdea, completeDate, planDate, startDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { DAY, HOUR, MINUTE } from '../../base/durations.ts';
import type { PlannedDate } from '../contract.ts';
import { NO_TEXTS } from '../optional-texts.ts';

const NOBODY = '01890000-0000-7000-8000-000000000000';

describeOnBoth('planned dates', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let now = Date.parse('2026-11-21T12:00:00Z');
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    now = Date.parse('2026-11-21T12:00:00Z');
    ({ ada, ben } = await registerCouple(app));
  });

  const iso = (distance: number) => new Date(now + distance).toISOString();
  const get = (id: string) => ada.call('GET /api/PlannedDates/{id}', { params: { id } });
  const ids = (dates: readonly PlannedDate[]) => dates.map(({ id }) => id);

  describe('planning', () => {
    it('replies 201 with the date, its address and its ETag, as the partner then reads it', async () => {
      const idea = await addIdea(ada, { title: 'Ramen', description: 'By two', category: 'Food' });
      const body = {
        dateIdeaId: idea.id,
        plannedDateTime: '2026-11-25T20:30:00+01:00',
        endDateTime: '2026-11-25T22:00:00.5+01:00',
        location: '  Our kitchen ',
        notes: '',
      };
      const planned = await ada.call('POST /api/PlannedDates', { body });
      expect(planned.status).toBe(201);
      expect(planned.body).toEqual({
        id: planned.body.id,
        status: 'Planned',
        plannedDateTime: '2026-11-25T19:30:00.000Z',
        endDateTime: '2026-11-25T21:00:00.500Z',
        ...NO_TEXTS,
        location: 'Our kitchen',
        actualStartTime: null,
        actualEndTime: null,
        actualDuration: null,
        memoryCount: 0,
        surprise: null,
        lookBack: true,
        createdAt: iso(0),
        updatedAt: iso(0),
        dateIdea: {
          id: idea.id,
          title: 'Ramen',
          description: 'By two',
          category: 'Food',
          plannedDatesCount: 1,
          lastPlannedDate: '2026-11-25T19:30:00.000Z',
        },
      });
      expect(planned.headers.get('location')).toBe(`/api/PlannedDates/${planned.body.id}`);
      const read = await ben.call('GET /api/PlannedDates/{id}', { params: { id: planned.body.id } });
      expect(read.body).toEqual(planned.body);
      expect(read.headers.get('etag')).toBe(planned.headers.get('etag'));
    });

    it.each([
      ['no time', { plannedDateTime: null }, 'plannedDateTime', 'Date and time is required'],
      ['a blank time', { plannedDateTime: ' ' }, 'plannedDateTime', 'Date and time is required'],
      [
        'the 30th of February',
        { plannedDateTime: '2027-02-30T19:00:00Z' },
        'plannedDateTime',
        'Date and time is not a real date and time',
      ],
      [
        'no offset',
        { plannedDateTime: '2026-11-25T19:00:00' },
        'plannedDateTime',
        'Date and time is not a real date and time',
      ],
      [
        'the last century',
        { plannedDateTime: '1999-12-31T23:59:59Z' },
        'plannedDateTime',
        'Date and time cannot be before the year 2000',
      ],
      [
        'more than two years ahead',
        { plannedDateTime: '2028-11-22T12:00:01Z' },
        'plannedDateTime',
        'Date and time cannot be more than two years ahead',
      ],
      [
        'an end at the start',
        { endDateTime: '2026-11-25T19:00:00Z' },
        'endDateTime',
        'End time must be after start time',
      ],
      ['a location of 201', { location: 'l'.repeat(201) }, 'location', 'Location cannot exceed 200 characters'],
      ['notes of 501', { notes: 'n'.repeat(501) }, 'notes', 'Notes cannot exceed 500 characters'],
    ])('refuses %s', { tags: ['wire.values.6'] }, async (_, fault, field, message) => {
      const { id } = await addIdea(ada);
      const body = { dateIdeaId: id, plannedDateTime: '2026-11-25T19:00:00Z', ...fault };
      const refused = await ada.request('POST /api/PlannedDates', { body });
      expect(refused.status).toBe(400);
      expect(refused.problem.errors).toEqual([{ field, message }]);
      expect((await ada.call('GET /api/PlannedDates')).body).toEqual([]);
    });

    it.each(['2000-01-01T00:00:00Z', '2028-11-22T12:00:00Z', '2016-02-29T12:00:00-03:00'])(
      'takes %s',
      { tags: ['wire.values.6'] },
      async (at) => {
        expect((await planDate(ada, { at })).plannedDateTime).toBe(new Date(at).toISOString());
      },
    );

    it('accepts 200 code points of location and 500 of notes', { tags: ['dates.wire.1'] }, async () => {
      const date = await planDate(ada, { at: now, location: '🌹'.repeat(200), notes: '🌹'.repeat(500) });
      expect(date.notes).toHaveLength(1000);
    });

    it('an unknown or deleted idea is 404 before validation, an inactive one 409 after it', {
      tags: ['wire.errors.2'],
    }, async () => {
      const deleted = await addIdea(ada);
      await ada.call('DELETE /api/DateIdeas/{id}', { params: { id: deleted.id } });
      for (const dateIdeaId of [deleted.id, NOBODY, 'nonsense']) {
        const refused = await ada.request('POST /api/PlannedDates', { body: { dateIdeaId, plannedDateTime: 'never' } });
        expect(refused).toMatchObject({ status: 404, problem: { message: 'Date idea not found' } });
      }
      const { id } = await addIdea(ada, { isActive: false });
      const plan = (plannedDateTime: string) =>
        ada.request('POST /api/PlannedDates', { body: { dateIdeaId: id, plannedDateTime } });
      expect((await plan('never')).status).toBe(400);
      expect((await plan(iso(DAY))).status).toBe(409);
      expect(
        (await ada.request('POST /api/PlannedDates', { body: { plannedDateTime: iso(DAY) } })).problem.errors,
      ).toEqual([{ field: 'dateIdeaId', message: 'Date idea is required' }]);
      expect((await ada.call('GET /api/PlannedDates')).body).toEqual([]);
    });

    it('happens once per key, even if the idea is deleted before the retry; a refusal frees the key', {
      tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'],
    }, async () => {
      const { id: dateIdeaId } = await addIdea(ada, { isActive: false });
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const body = { dateIdeaId, plannedDateTime: iso(DAY) };
      const plan = () => ada.call('POST /api/PlannedDates', { body }, { headers });
      expect((await plan()).status).toBe(409);
      const active = { title: 'Now', category: 'Food' as const, isActive: true };
      await ada.call('PUT /api/DateIdeas/{id}', { params: { id: dateIdeaId }, body: active });
      const first = await plan();
      expect(first.status).toBe(201);
      await ada.call('DELETE /api/DateIdeas/{id}', { params: { id: dateIdeaId } });
      expect(await plan()).toMatchObject({ status: 201, body: first.body });
      expect((await ada.call('GET /api/PlannedDates')).body).toHaveLength(1);
    });

    it('creates only one date for concurrent requests with the same key', {
      tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'],
    }, async () => {
      const { id: dateIdeaId } = await addIdea(ada);
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const body = { dateIdeaId, plannedDateTime: iso(DAY) };
      const all = await Promise.all(
        [ada, ben, ada, ben].map((who) => who.call('POST /api/PlannedDates', { body }, { headers })),
      );
      expect(all.every(({ status }) => status === 201 || status === 409)).toBe(true);
      expect((await ada.call('GET /api/PlannedDates')).body).toHaveLength(1);
    });
  });

  describe('lists', () => {
    it('are sorted, and separated by status', { tags: ['dates.wire.1'] }, async () => {
      const { id: idea } = await addIdea(ada);
      const later = await planDate(ada, { idea, at: now + 9 * DAY });
      const soon = await planDate(ben, { idea, at: now + HOUR });
      const past = await planDate(ada, { idea, at: now - HOUR });
      const running = await startDate(ada, { idea, at: now - 2 * HOUR });
      const running2 = await startDate(ada, { idea, at: now + 2 * DAY });
      const done = await completeDate(ada, { idea, at: now - 9 * DAY, minutes: 60 });
      const done2 = await completeDate(ada, { idea, at: now - 5 * DAY, minutes: 60 });
      const off = await planDate(ada, { idea, at: now + 5 * DAY });
      await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: off.id } });
      const gone = await planDate(ada, { idea, at: now + 10 * MINUTE });
      await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: gone.id } });

      const list = async (which: '' | '/upcoming' | '/completed' | '/in-progress') =>
        ids((await ben.call(`GET /api/PlannedDates${which}`)).body);
      expect(await list('')).toEqual(ids([later, off, running2, soon, past, running, done2, done]));
      expect(await list('/upcoming')).toEqual(ids([soon, later]));
      expect(await list('/completed')).toEqual(ids([done2, done]));
      expect(await list('/in-progress')).toEqual(ids([running2, running]));
      expect((await ada.call('GET /api/PlannedDates/next')).body?.id).toBe(soon.id);
      const all = (await ada.call('GET /api/PlannedDates')).body;
      // Seven of the nine dates count, all but the cancelled and the deleted one.
      const counted = { plannedDatesCount: 7, lastPlannedDate: later.plannedDateTime };
      expect(all.every(({ dateIdea }) => dateIdea.plannedDatesCount === counted.plannedDatesCount)).toBe(true);
      expect(all[0]?.dateIdea.lastPlannedDate).toBe(counted.lastPlannedDate);
      for (const date of all) expect((await get(date.id)).body).toEqual(date);
    });

    it('upcoming excludes past dates', async () => {
      const date = await planDate(ada, { at: now + MINUTE });
      now += MINUTE;
      expect(ids((await ada.call('GET /api/PlannedDates/upcoming')).body)).toEqual([date.id]);
      now += 1;
      expect((await ada.call('GET /api/PlannedDates/upcoming')).body).toEqual([]);
      expect(await ada.call('GET /api/PlannedDates/next')).toMatchObject({ status: 204, body: null });
    });

    it('there are four statuses, in their order', async () => {
      const { body } = await ada.call('GET /api/PlannedDates/statuses');
      expect(body.map(({ value, displayName }) => `${value} ${displayName}`)).toEqual([
        'Planned Planned',
        'InProgress In Progress',
        'Completed Completed',
        'Cancelled Cancelled',
      ]);
    });

    it('run three database queries, regardless of their size', async () => {
      const { id: idea } = await addIdea(ada);
      await planDate(ada, { idea, at: now });
      const asked = () => countQueries(app, () => ada.call('GET /api/PlannedDates'));
      const before = await asked();
      await Promise.all(Array.from({ length: 50 }, (_, i) => planDate(ada, { idea, at: now + i * HOUR })));
      expect(await asked()).toBe(before);
      expect(before).toBeLessThanOrEqual(3);
    });
  });

  describe('editing', () => {
    const put = (id: string, fields: object = {}, tag?: string) =>
      ben.request(
        'PUT /api/PlannedDates/{id}',
        { params: { id }, body: { plannedDateTime: iso(DAY), ...fields } },
        { headers: tag === undefined ? {} : { 'if-match': tag } },
      );

    it('replaces the date, clears absent fields, and has wider limits than planning', async () => {
      const { id } = await planDate(ada, {
        at: now + HOUR,
        end: now + 2 * HOUR,
        location: 'Here',
        notes: 'Bring a coat',
      });
      const edited = await put(id, { location: 'l'.repeat(300), notes: 'n'.repeat(1000) });
      expect(edited).toMatchObject({
        status: 200,
        body: { plannedDateTime: iso(DAY), endDateTime: null, location: 'l'.repeat(300), notes: 'n'.repeat(1000) },
      });
      expect((await put(id)).body).toMatchObject({ location: null, notes: null });
      expect((await get(id)).headers.get('etag')).not.toBe(edited.headers.get('etag'));
    });

    it.each([
      ['a location of 301', { location: 'l'.repeat(301) }, 'location', 'Location cannot exceed 300 characters'],
      ['notes of 1001', { notes: 'n'.repeat(1001) }, 'notes', 'Notes cannot exceed 1000 characters'],
      ['an end before', { endDateTime: '2026-11-22T11:59:00Z' }, 'endDateTime', 'End time must be after start time'],
      ['no time', { plannedDateTime: '' }, 'plannedDateTime', 'Date and time is required'],
    ])('refuses %s', { tags: ['wire.values.6'] }, async (_, fault, field, message) => {
      const date = await planDate(ada, { at: now + HOUR });
      const refused = await put(date.id, fault);
      expect(refused).toMatchObject({ status: 400, problem: { errors: [{ field, message }] } });
      expect((await get(date.id)).body).toEqual(date);
    });

    it('allows dates in progress and cancelled ones, refuses completed ones, and checks 409 before 412', {
      tags: ['wire.errors.2'],
    }, async () => {
      const running = await startDate(ada, { at: now });
      expect(await put(running.id)).toMatchObject({
        status: 200,
        body: { status: 'InProgress', plannedDateTime: iso(DAY) },
      });
      const off = await planDate(ada, { at: now });
      await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: off.id } });
      expect(await put(off.id)).toMatchObject({ status: 200, body: { status: 'Cancelled' } });
      const done = await completeDate(ada, { at: now - HOUR, minutes: 30 });
      expect(await put(done.id, {}, '"stale"')).toMatchObject({
        status: 409,
        problem: { message: 'Cannot edit a completed date' },
      });
      expect((await put(done.id, { notes: 'n'.repeat(1001) })).status).toBe(400);
      expect((await get(done.id)).body).toEqual(done);
    });

    it('refuses a stale If-Match with 412; an upload or another date of the idea does not make it stale', {
      tags: ['wire.editing.1'],
    }, async () => {
      const { id, dateIdea } = await planDate(ada, { at: now + HOUR });
      const tag = (await get(id)).headers.get('etag') ?? '';
      await planDate(ben, { idea: dateIdea.id as string, at: now + 5 * DAY });
      expect((await put(id, { notes: 'First' }, tag)).status).toBe(200);
      expect((await put(id, { notes: 'Second' }, tag)).status).toBe(412);
      expect((await get(id)).body.notes).toBe('First');
    });

    it('keeps the ETag and the time if a PUT changes nothing', { tags: ['wire.editing.1'] }, async () => {
      const date = await planDate(ada, { at: now + DAY });
      const tag = (await get(date.id)).headers.get('etag');
      now += HOUR;
      const same = await put(date.id, { plannedDateTime: date.plannedDateTime });
      expect(same).toMatchObject({ status: 200, body: { updatedAt: date.updatedAt } });
      expect(same.headers.get('etag')).toBe(tag);
    });
  });

  describe('deleting', () => {
    it('removes it everywhere, once', async () => {
      const { id } = await planDate(ada, { at: now + DAY });
      expect((await ben.call('DELETE /api/PlannedDates/{id}', { params: { id } })).status).toBe(204);
      expect((await get(id)).status).toBe(404);
      expect((await ada.call('DELETE /api/PlannedDates/{id}', { params: { id } })).status).toBe(404);
      expect((await ada.call('POST /api/PlannedDates/{id}/start', { params: { id } })).status).toBe(404);
      expect((await ada.call('GET /api/PlannedDates')).body).toEqual([]);
      expect((await ada.call('GET /api/PlannedDates/next')).status).toBe(204);
    });

    it('is allowed in every status, but not with an old version', async () => {
      const dates = [
        await planDate(ada, { at: now + DAY }),
        await startDate(ada, { at: now }),
        await completeDate(ada, { at: now - DAY, minutes: 5 }),
      ];
      for (const { id } of dates) {
        const remove = (tag: string) =>
          ada.call('DELETE /api/PlannedDates/{id}', { params: { id } }, { headers: { 'if-match': tag } });
        expect((await remove('"stale"')).status).toBe(412);
        expect((await remove((await get(id)).headers.get('etag') ?? '')).status).toBe(204);
      }
    });
  });

  it('a missing date is 404 before the body is validated', { tags: ['wire.errors.2'] }, async () => {
    const calls = ['start', 'complete', 'cancel'].map((verb) => `POST /api/PlannedDates/{id}/${verb}` as const);
    for (const id of [NOBODY, 'nonsense', `${NOBODY}'--`]) {
      for (const name of [...calls, 'PUT /api/PlannedDates/{id}' as const]) {
        const refused = await ada.request(name, { params: { id } }, { raw: { type: 'text/plain', body: '{' } });
        expect(refused).toMatchObject({ status: 404, problem: { errors: [] } });
      }
      expect((await get(id)).status).toBe(404);
    }
  });
});
