import { afterAll, beforeAll, expect, it } from 'vitest';
import { countQueries } from '../../../tests/support/count-queries.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { addIdea, addPhoto, completeDate, planDate } from '../../../tests/support/factories.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';

describeOnBoth('a year ago', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => Date.parse('2026-11-21T12:00:00Z') });
  });
  afterAll(() => app.close());
  const asked = { query: { day: '2026-11-21', timeZone: 'Europe/Rome' } };

  it('is null without a date, and refuses an invalid day or zone', async () => {
    const { ada } = await registerCouple(app);
    expect(await ada.call('GET /api/Stats/year-ago', asked)).toMatchObject({ status: 204, body: null });
    for (const query of [{ day: '2026-02-30', timeZone: 'UTC' }, { day: '2026-11-21', timeZone: 'Nowhere' }, {}]) {
      expect((await ada.request('GET /api/Stats/year-ago', { query })).status).toBe(400);
    }
  });

  it('refuses a day more than two days from the server’s', { tags: ['wire.values.11'] }, async () => {
    const { ada } = await registerCouple(app);
    const statusOn = async (day: string) =>
      (await ada.request('GET /api/Stats/year-ago', { query: { day, timeZone: 'Europe/Rome' } })).status;
    for (const day of ['3000-01-01', '0001-01-01', '2026-11-24', '2026-11-18']) expect(await statusOn(day)).toBe(400);
    for (const day of ['2026-11-23', '2026-11-19']) expect(await statusOn(day)).toBe(204);
  });

  it('returns the date of that day in the requested zone; no deleted, cancelled or current one', {
    tags: ['stats.wire.12'],
  }, async () => {
    const { ada, ben } = await registerCouple(app);
    const stars = { title: 'Shooting stars', category: 'Outdoor' as const };
    // In Rome it is already the 21st.
    const date = await completeDate(ada, { idea: stars, at: '2024-11-20T23:30:00Z', minutes: 90, notes: 'So many' });
    await addPhoto(ada, date.id);
    const gone = await completeDate(ada, { idea: stars, at: '2025-11-21T12:00:00Z', minutes: 90 });
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: gone.id } });
    await planDate(ada, { idea: stars, at: '2025-11-21T19:00:00Z' });
    await completeDate(ada, { idea: stars, at: '2026-11-21T08:00:00Z', minutes: 60 });
    await completeDate(ada, { idea: stars, at: '2025-11-19T08:00:00Z', minutes: 60 });
    const { body } = await ben.call('GET /api/Stats/year-ago', asked);
    expect(body).toMatchObject({ years: 2, isToday: true, date: { id: date.id, memoryCount: 1, notes: 'So many' } });
    expect(body?.date).toEqual((await ben.call('GET /api/PlannedDates/{id}', { params: { id: date.id } })).body);
  });

  it('is the one with the most memories of several dates on that day', { tags: ['stats.wire.12'] }, async () => {
    const { ada } = await registerCouple(app);
    const { id: idea } = await addIdea(ada);
    const dates = [];
    for (const at of ['2025-11-21T08:00:00Z', '2025-11-21T12:00:00Z', '2025-11-21T18:00:00Z']) {
      dates.push(await completeDate(ada, { idea, at, minutes: 1 }));
    }
    const [, noon, evening] = dates;
    await addPhoto(ada, noon?.id ?? '');
    expect((await ada.call('GET /api/Stats/year-ago', asked)).body?.date.id).toBe(noon?.id);
    for (const seed of [1, 2]) await addPhoto(ada, evening?.id ?? '', seed);
    expect((await ada.call('GET /api/Stats/year-ago', asked)).body?.date.id).toBe(evening?.id);
  });

  it('takes as many queries after thirty dates as after one', { tags: ['running.load.2'] }, async () => {
    const { ada } = await registerCouple(app);
    const { id: idea } = await addIdea(ada);
    const cost = () => countQueries(app, () => ada.call('GET /api/Stats/year-ago', asked));
    await completeDate(ada, { idea, at: '2025-11-21T12:00:00Z', minutes: 1 });
    const one = await cost();
    for (let day = 1; day < 30; day += 1) {
      await completeDate(ada, { idea, at: `20${String(day % 20).padStart(2, '0')}-11-21T12:00:00Z`, minutes: 1 });
    }
    expect(await cost()).toBe(one);
  });
});

describeOnBoth('the dashboard', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(engine);
  });
  afterAll(() => app.close());

  it('starts empty', async () => {
    const { ada } = await registerCouple(app);
    const { status, body } = await ada.call('GET /api/Stats/dashboard');
    expect(status).toBe(200);
    expect(body).toMatchObject({ stats: { totalCompletedDates: 0 }, nextDate: null, recentMemories: [] });
  });

  it('holds what its three calls return: figures, the next date and the six newest memories', {
    tags: ['stats.wire.11'],
  }, async () => {
    const { ada, ben } = await registerCouple(app);
    const { id: idea } = await addIdea(ada);
    await planDate(ada, { idea, at: Date.now() + 9 * 86_400_000 });
    const next = await planDate(ben, { idea, at: Date.now() + 3_600_000 });
    const done = await completeDate(ada, { idea, at: Date.now() - 86_400_000, minutes: 90 });
    for (let seed = 1; seed <= 7; seed += 1) {
      await addPhoto(ada, done.id, seed);
    }
    const { body } = await ben.call('GET /api/Stats/dashboard');
    expect(body.nextDate?.id).toBe(next.id);
    expect(body.nextDate).toEqual((await ben.call('GET /api/PlannedDates/next')).body);
    expect(body.stats).toEqual((await ben.call('GET /api/Stats')).body);
    expect(body.stats).toMatchObject({ formattedTotalTime: '1h 30m', totalMemories: 7 });
    expect(body.recentMemories).toEqual((await ben.call('GET /api/Memories', { query: { count: '6' } })).body);
    expect(body.recentMemories.map(({ originalFileName }) => originalFileName)).toEqual([
      'photo-7.jpg',
      'photo-6.jpg',
      'photo-5.jpg',
      'photo-4.jpg',
      'photo-3.jpg',
      'photo-2.jpg',
    ]);
  });
});
