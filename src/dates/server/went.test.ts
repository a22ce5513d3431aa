import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Caller } from '../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../tests/support/event-stream.ts';
import { addPhoto, completeDate, planDate, startDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { createTestStorage, type TestStorage } from '../../../tests/support/test-storage.ts';
import { DAY, HOUR, MINUTE } from '../../base/durations.ts';
import type { PlannedDate } from '../contract.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');

describeOnBoth('‘We went!’', (engine) => {
  let storage: TestStorage;
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let now = NOON;
  const options = { now: () => now };
  beforeAll(async () => {
    storage = await createTestStorage(engine);
    app = await startTestApp(engine, { ...options, storage });
  });
  afterAll(async () => {
    await app.close();
    await storage.remove();
  });
  beforeEach(async () => {
    now = NOON;
    ({ ada, ben } = await registerCouple(app));
  });

  const iso = (distance: number) => new Date(now + distance).toISOString();
  const get = (id: string) => ada.call('GET /api/PlannedDates/{id}', { params: { id } });
  const tagged = (tag?: string) => (tag === undefined ? {} : { headers: { 'if-match': tag } });
  const went = (id: string, body: object = {}, who: Partner = ada, tag?: string) =>
    who.request('POST /api/PlannedDates/{id}/went', { params: { id }, body }, tagged(tag));
  const undo = (id: string, who: Partner = ada, tag?: string) =>
    who.request('POST /api/PlannedDates/{id}/went/undo', { params: { id } }, tagged(tag));
  const statuses = (answers: readonly { status: number }[]) =>
    answers.map(({ status }) => status).toSorted((a, b) => a - b);
  /** A date that was planned for yesterday. */
  const overdue = (parts: object = {}) => planDate(ada, { at: now - DAY, end: now - DAY + 3 * HOUR, ...parts });

  describe('and the milestones reached by it', () => {
    const unseen = async (who: Partner) => (await who.call('GET /api/Stats/celebrations')).body.map(({ id }) => id);
    const see = async (who: Partner) =>
      who.call('POST /api/Stats/celebrations', { body: { milestones: await unseen(who) } });

    it('are taken back for both partners, and celebrated when they are reached again', {
      tags: ['dates.went.5'],
    }, async () => {
      const { id } = await overdue();
      await went(id);
      now += 1000;
      for (const who of [ada, ben]) await see(who);
      now += 1000;
      expect((await undo(id)).status).toBe(200);
      await went(id);
      for (const who of [ada, ben]) expect(await unseen(who)).toEqual(['first-date']);
    });

    it('stay seen if only the times change, or if they were seen before', { tags: ['dates.went.5'] }, async () => {
      const { id } = await overdue();
      await went(id);
      await see(ada);
      const times = { actualStartTime: iso(-DAY), actualEndTime: iso(-DAY + HOUR) };
      await ada.call('PUT /api/PlannedDates/{id}/record', { params: { id }, body: times });
      expect(await unseen(ada)).toEqual([]);
      // Lost with its date, and reached again by another one.
      await ada.call('DELETE /api/PlannedDates/{id}', { params: { id } });
      now += MINUTE;
      const another = await overdue();
      await went(another.id);
      await undo(another.id);
      await went(another.id);
      expect(await unseen(ada)).toEqual([]);
    });
  });

  it('completes a date with its planned times and keeps its notes, without a body too', {
    tags: ['dates.went.1'],
  }, async () => {
    const { id } = await overdue({ notes: 'Bring a coat' });
    now += MINUTE;
    const done = await ada.request('POST /api/PlannedDates/{id}/went', { params: { id } });
    expect(done).toMatchObject({
      status: 200,
      body: {
        status: 'Completed',
        actualStartTime: iso(-DAY - MINUTE),
        actualEndTime: iso(-DAY - MINUTE + 3 * HOUR),
        actualDuration: '3h',
        notes: 'Bring a coat',
        updatedAt: iso(0),
      },
    });
    expect((await get(id)).body).toEqual(done.body);
    expect(done.headers.get('etag')).toBe((await get(id)).headers.get('etag'));
  });

  it('takes given times and notes; blank notes clear the old ones', { tags: ['dates.went.1'] }, async () => {
    const { id } = await overdue({ notes: 'Gone' });
    const times = { actualStartTime: iso(-9 * HOUR), actualEndTime: iso(-8 * HOUR) };
    expect((await went(id, { ...times, notes: ' ' })).body).toMatchObject({ ...times, notes: null });
  });

  it('counts two hours without a planned end, but never ends later than now', { tags: ['dates.went.1'] }, async () => {
    const old = await overdue({ end: undefined });
    expect((await went(old.id)).body).toMatchObject({ actualEndTime: iso(-DAY + 2 * HOUR) });
    const recent = await planDate(ada, { at: now - 40 * MINUTE });
    expect((await went(recent.id)).body).toMatchObject({ actualEndTime: iso(0), actualDuration: '40m' });
  });

  it('refuses a date that is still to come with 400, and invalid times as complete does', {
    tags: ['dates.went.2'],
  }, async () => {
    const ahead = await planDate(ada, { at: now + 1 });
    expect(await went(ahead.id)).toMatchObject({ status: 400, problem: { message: 'This date is still to come.' } });
    const { id } = await overdue();
    const before = await get(id);
    for (const [body, field, message] of [
      [{ actualEndTime: iso(-DAY) }, 'actualEndTime', 'End time must be after start time'],
      [{ actualEndTime: iso(5 * MINUTE + 1) }, 'actualEndTime', 'End time cannot be in the future'],
      [{ actualStartTime: '0001-01-01T00:00:00Z' }, 'actualStartTime', 'Start time cannot be before the year 2000'],
      [{ actualStartTime: 'noon' }, 'actualStartTime', 'Start time is not a real date and time'],
      [{ notes: 'n'.repeat(1001) }, 'notes', 'Notes cannot exceed 1000 characters'],
    ] as const) {
      expect(await went(id, body)).toMatchObject({ status: 400, problem: { errors: [{ field, message }] } });
    }
    expect((await get(id)).body).toEqual(before.body);
  });

  it('refuses every other status with 409, before it checks the ETag, and a stale ETag with 412', {
    tags: ['dates.went.2'],
  }, async () => {
    const { id } = await overdue();
    const tag = (await get(id)).headers.get('etag') ?? '';
    const cancelled = await overdue();
    await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: cancelled.id } });
    const others = [
      await startDate(ada, { at: now - DAY }),
      await startDate(ada, { at: now + DAY }),
      await completeDate(ada, { at: now - DAY, minutes: 60 }),
      cancelled,
    ];
    for (const other of others) {
      expect(await went(other.id, {}, ada, '"stale"')).toMatchObject({
        status: 409,
        problem: { message: 'Only a planned date can be completed with ‘We went!’.' },
      });
    }
    expect((await went(id, {}, ada, '"stale"')).status).toBe(412);
    expect((await went(id, {}, ada, tag)).status).toBe(200);
  });

  it('lets one of two partners win; the other gets 409', { tags: ['dates.went.2'] }, async () => {
    const { id } = await overdue();
    expect(statuses(await Promise.all([ada, ben, ada, ben].map((who) => went(id, {}, who))))).toEqual([
      200, 409, 409, 409,
    ]);
    const other = await overdue();
    const start = ben.request('POST /api/PlannedDates/{id}/start', { params: { id: other.id } });
    expect(statuses(await Promise.all([went(other.id), start]))).toEqual([200, 409]);
  });

  it('is announced to both partners, as is its undo', { tags: ['dates.went.4'] }, async () => {
    const { id } = await overdue();
    const heard = await subscribeToEvents(ben);
    await went(id);
    await undo(id);
    await undo(id);
    await went(id);
    for (let told = 0; told < 3; told += 1) {
      expect(await heard.next()).toEqual({ entity: 'plannedDate', id, action: 'updated', by: ada.user.id });
    }
    heard.close();
  });

  it('counts in the statistics and stays in the calendar; its undo takes it out of the statistics', {
    tags: ['dates.went.4'],
  }, async () => {
    const { id } = await overdue();
    const { body: link } = await ada.call('POST /api/calendar');
    const feed = async () => String((await new Caller('').request(`GET ${link.url as `/${string}`}`)).body);
    const total = async () => (await ben.call('GET /api/Stats')).body.totalMinutes;
    await went(id);
    expect(await total()).toBe(180);
    expect(await feed()).toMatch(`UID:${id}`);
    await undo(id);
    expect(await total()).toBe(0);
    expect(await feed()).toMatch(`UID:${id}`);
  });

  describe('its undo', () => {
    let before: PlannedDate;
    beforeEach(async () => {
      before = await overdue({ notes: 'Bring a coat', location: 'The pier' });
      now += HOUR;
    });

    it('within a minute brings back the date as it was, notes included, with a new ETag', {
      tags: ['dates.went.3'],
    }, async () => {
      const first = (await get(before.id)).headers.get('etag');
      const done = await went(before.id, { notes: 'Lovely', actualStartTime: iso(-DAY) });
      now += MINUTE;
      const back = await undo(before.id);
      expect(back).toMatchObject({ status: 200, body: before });
      expect((await get(before.id)).body).toEqual(before);
      const tags = [first, done.headers.get('etag'), back.headers.get('etag')];
      expect(new Set(tags).size).toBe(3);
    });

    it('is refused after a minute', { tags: ['dates.went.3'] }, async () => {
      await went(before.id);
      now += MINUTE + 1;
      expect(await undo(before.id)).toMatchObject({
        status: 409,
        problem: { message: '‘We went!’ can only be undone within a minute.' },
      });
      expect((await get(before.id)).body.status).toBe('Completed');
    });

    it('is refused to the partner', { tags: ['dates.went.3'] }, async () => {
      await went(before.id);
      expect(await undo(before.id, ben)).toMatchObject({
        status: 409,
        problem: { message: 'Only the one of you who pressed ‘We went!’ can undo it.' },
      });
      expect((await undo(before.id)).status).toBe(200);
    });

    it('is refused for a date that was not completed with it', async () => {
      const dates = [
        before,
        await startDate(ada, { at: now }),
        await completeDate(ada, { at: now - DAY, minutes: 60 }),
      ];
      for (const { id } of dates) {
        expect(await undo(id)).toMatchObject({
          status: 409,
          problem: { message: 'Only ‘We went!’ can be undone, and this date was not completed with it.' },
        });
      }
    });

    it('is refused if a node changed the date since, even one that does not know ‘We went!’', {
      tags: ['dates.went.3'],
    }, async () => {
      await went(before.id);
      const raised = await app.db.write((tx) =>
        tx
          .updateTable('dates')
          .set((row) => ({ version: row('version', '+', 1) }))
          .where('id', '=', before.id)
          .where('coupleId', '=', ada.user.couple.id as never)
          .executeTakeFirst(),
      );
      expect(raised.numUpdatedRows).toBe(1n);
      expect(await undo(before.id)).toMatchObject({ status: 409, problem: { message: /has changed since/ } });
    });

    it('happens once, of two at the same time, and takes If-Match', async () => {
      const { headers } = await went(before.id);
      expect((await undo(before.id, ada, '"stale"')).status).toBe(412);
      const tag = headers.get('etag') ?? '';
      expect(statuses(await Promise.all([undo(before.id, ada, tag), undo(before.id, ada, tag)]))).toEqual([200, 409]);
    });

    it('works with photographs, and they stay', { tags: ['dates.went.3'] }, async () => {
      await addPhoto(ada, before.id, 1);
      await went(before.id);
      await addPhoto(ben, before.id, 2);
      expect((await undo(before.id)).body).toEqual({ ...before, memoryCount: 2 });
    });

    it('is 404 for a deleted date', async () => {
      await went(before.id);
      await ben.call('DELETE /api/PlannedDates/{id}', { params: { id: before.id } });
      expect((await undo(before.id)).status).toBe(404);
    });

    it('survives a restart', { tags: ['dates.went.3'] }, async () => {
      await went(before.id);
      await app.close();
      app = await startTestApp(engine, { ...options, storage });
      const again = new Caller(app.url);
      const { body } = await again.call('POST /api/auth/login', {
        body: { email: ada.user.email, password: ada.password },
      });
      const back = await again.request(
        'POST /api/PlannedDates/{id}/went/undo',
        { params: { id: before.id } },
        { headers: { authorization: `Bearer ${body.token}` } },
      );
      expect(back).toMatchObject({ status: 200, body: before });
    });
  });
});
