import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../tests/support/event-stream.ts';
import { completeDate, planDate, startDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { DAY, HOUR, MINUTE } from '../../base/durations.ts';
import type { DateStatus } from '../rules.ts';

describeOnBoth('a change of the status of a planned date', (engine) => {
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
  const call = (verb: 'start' | 'cancel' | 'complete', id: string, body?: object, tag?: string, who: Partner = ada) =>
    who.request(
      `POST /api/PlannedDates/{id}/${verb}`,
      { params: { id }, body },
      { headers: tag === undefined ? {} : { 'if-match': tag } },
    );
  const complete = (id: string, body: object, tag?: string) => call('complete', id, body, tag);

  /** Creates a date with the given status. */
  const inState = async (status: DateStatus): Promise<string> => {
    if (status === 'InProgress') return (await startDate(ada, { at: now })).id;
    if (status === 'Completed') return (await completeDate(ada, { at: now - HOUR, minutes: 30 })).id;
    const { id } = await planDate(ada, { at: now });
    if (status === 'Cancelled') await call('cancel', id);
    return id;
  };

  describe('what each allows', { tags: ['dates.wire.2'] }, () => {
    const table = [
      ['Planned', 'start', 'InProgress'],
      ['Planned', 'complete', 409],
      ['Planned', 'cancel', 'Cancelled'],
      ['InProgress', 'start', 409],
      ['InProgress', 'complete', 'Completed'],
      ['InProgress', 'cancel', 409],
      ['Completed', 'start', 409],
      ['Completed', 'complete', 409],
      ['Completed', 'cancel', 409],
      ['Cancelled', 'start', 409],
      ['Cancelled', 'complete', 409],
      ['Cancelled', 'cancel', 409],
    ] as const;
    it.each(table)('%s: %s → %s', async (status, verb, outcome) => {
      const id = await inState(status);
      const before = await get(id);
      now += 10 * MINUTE;
      const body = verb === 'complete' ? { actualEndTime: iso(0) } : undefined;
      if (outcome === 409) {
        // The status is checked before the ETag.
        expect((await call(verb, id, body, '"stale"')).status).toBe(409);
        expect(await get(id)).toMatchObject({ body: before.body });
        return;
      }
      expect((await call(verb, id, body, '"stale"')).status).toBe(412);
      expect((await get(id)).body).toEqual(before.body);
      const done = await call(verb, id, body, before.headers.get('etag') ?? '');
      expect(done).toMatchObject({ status: 200, body: { id, status: outcome, updatedAt: iso(0) } });
      expect(done.headers.get('etag')).not.toBe(before.headers.get('etag'));
      expect((await get(id)).body).toEqual(done.body);
    });
  });

  it('a start records the current time', async () => {
    const { id } = await planDate(ada, { at: now - DAY });
    now += 1_234;
    expect((await call('start', id)).body).toMatchObject({ actualStartTime: iso(0), actualEndTime: null });
  });

  it('one of two concurrent requests succeeds, the other gets 409', { tags: ['wire.editing.2'] }, async () => {
    for (const verb of ['start', 'cancel'] as const) {
      const { id } = await planDate(ada, { at: now });
      const both = await Promise.all([ada, ben, ada, ben].map((who) => call(verb, id, undefined, undefined, who)));
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    }
    const { id } = await planDate(ada, { at: now });
    const apart = await Promise.all([call('start', id), call('cancel', id, undefined, undefined, ben)]);
    expect(apart.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const running = await startDate(ada, { at: now });
    now += HOUR;
    const ends = [iso(-MINUTE), iso(-2 * MINUTE), iso(-3 * MINUTE)];
    const completions = await Promise.all(ends.map((actualEndTime) => complete(running.id, { actualEndTime })));
    expect(completions.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const winner = completions.findIndex(({ status }) => status === 200);
    expect((await get(running.id)).body.actualEndTime).toBe(ends[winner]);
  });

  it('both partners get an event for each change, and none for a refusal', async () => {
    const heard = await subscribeToEvents(ada);
    const { id } = await planDate(ben, { at: now });
    expect(await heard.next()).toMatchObject({ entity: 'dateIdea', action: 'created' });
    await call('start', id);
    await call('start', id);
    now += HOUR;
    await complete(id, { actualEndTime: iso(0) }, undefined);
    await ben.call('DELETE /api/PlannedDates/{id}', { params: { id } });
    const [by, too] = [ada.user.id, ben.user.id];
    expect(await heard.next()).toEqual({ entity: 'plannedDate', id, action: 'created', by: too });
    expect(await heard.next()).toEqual({ entity: 'plannedDate', id, action: 'updated', by });
    expect(await heard.next()).toEqual({ entity: 'plannedDate', id, action: 'updated', by });
    expect(await heard.next()).toEqual({ entity: 'plannedDate', id, action: 'deleted', by: too });
    heard.close();
  });
});
