import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../tests/support/event-stream.ts';
import { addIdea, addPhoto, completeDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import type { PlannedDate } from '../../dates/contract.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describeOnBoth('looking back with care', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let date: PlannedDate;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => NOW });
    ({ ada, ben } = await registerCouple(app));
    date = await completeDate(ada, { at: '2025-11-21T18:00:00Z', minutes: 60 });
    await addPhoto(ada, date.id);
  });
  afterAll(() => app.close());

  const set = (who: Partner, shown: unknown) =>
    who.request('PUT /api/PlannedDates/{id}/look-back', { params: { id: date.id }, body: { shown } });
  const yearAgo = async (who: Partner) => {
    const query = { day: '2026-11-21', timeZone: 'UTC' };
    return (await who.call('GET /api/Stats/year-ago', { query })).body?.date.id;
  };
  const photographs = async (who: Partner) =>
    (await who.call('GET /api/Stats/years/{year}', { params: { year: '2025' } })).body.photographs.length;
  const get = (who: Partner) => who.call('GET /api/PlannedDates/{id}', { params: { id: date.id } });

  it('leaves a date out of the year ago and the year for the asker alone, and can be undone', {
    tags: ['dates.lookback.1', 'dates.lookback.2'],
  }, async () => {
    expect(date.lookBack).toBe(true);
    const before = await get(ada);
    const answer = await set(ada, false);
    expect([answer.status, answer.body]).toEqual([200, { ...before.body, lookBack: false }]);
    expect(answer.headers.get('etag')).toBe(before.headers.get('etag'));
    expect([await yearAgo(ada), await photographs(ada)]).toEqual([undefined, 0]);
    expect([await yearAgo(ben), await photographs(ben)]).toEqual([date.id, 1]);
    expect((await get(ben)).body.lookBack).toBe(true);
    expect((await set(ada, true)).body).toEqual(before.body);
    expect([await yearAgo(ada), await photographs(ada)]).toEqual([date.id, 1]);
    for (const shown of [undefined, null, 'no']) expect((await set(ada, shown)).status).toBe(400);
  });

  it('tells nothing of it to the partner', { tags: ['dates.lookback.1'] }, async () => {
    const [hers, his] = [await subscribeToEvents(ada), await subscribeToEvents(ben)];
    await set(ada, false);
    const idea = await addIdea(ada);
    const until = async (events: typeof hers) => {
      const heard = [await events.next()];
      while (heard.at(-1)?.id !== idea.id) heard.push(await events.next());
      return heard.filter(({ entity }) => entity === 'plannedDate');
    };
    expect(await until(hers)).toMatchObject([{ id: date.id, action: 'updated' }]);
    expect(await until(his)).toEqual([]);
    hers.close();
    his.close();
    await set(ada, true);
  });
});
