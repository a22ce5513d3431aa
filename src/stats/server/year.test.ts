import { afterAll, beforeAll, expect, it } from 'vitest';
import { countQueries } from '../../../tests/support/count-queries.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { addIdea, addPhoto, completeDate, planDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';

describeOnBoth('our year', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => Date.parse('2027-01-10T12:00:00Z') });
  });
  afterAll(() => app.close());

  it('lists the years with a completed date, latest first, by the couple’s zone', {
    tags: ['stats.year.1'],
  }, async () => {
    const { ada, ben } = await registerCouple(app, 'Asia/Tokyo');
    expect((await ada.call('GET /api/Stats/years')).body).toEqual([]);
    // In Tokyo it is already 2027.
    const late = await completeDate(ada, { at: '2026-12-31T20:00:00Z', minutes: 90 });
    await completeDate(ada, { at: '2024-06-01T12:00:00Z', minutes: 30 });
    await completeDate(ada, { at: '2024-07-01T12:00:00Z', minutes: 45 });
    const planned = await planDate(ada, { at: '2025-06-01T12:00:00Z' });
    await addPhoto(ada, late.id);
    await addPhoto(ada, planned.id, 2);
    expect((await ben.call('GET /api/Stats/years')).body).toEqual([
      { year: 2027, dates: 1, minutes: 90, memories: 1 },
      { year: 2024, dates: 2, minutes: 75, memories: 0 },
    ]);
  });

  it('returns the figures and places of a year, and a photograph of each date', {
    tags: ['stats.year.2', 'stats.year.3'],
  }, async () => {
    const { ada, ben } = await registerCouple(app);
    const { id: stars } = await addIdea(ada, { title: 'Stars', category: 'Outdoor' });
    const { id: dinner } = await addIdea(ada, { title: 'Dinner', category: 'Food' });
    const first = await completeDate(ada, {
      idea: stars,
      at: '2026-03-01T19:00:00Z',
      minutes: 60,
      location: 'Lungarno',
    });
    const long = await completeDate(ben, {
      idea: dinner,
      at: '2026-03-11T19:00:00Z',
      minutes: 200,
      location: 'lungarno',
    });
    const gone = await completeDate(ada, { idea: dinner, at: '2026-05-01T19:00:00Z', minutes: 900 });
    await completeDate(ada, { idea: dinner, at: '2025-12-31T12:00:00Z', minutes: 600 });
    await addPhoto(ada, first.id, 1);
    const named = await addPhoto(ada, first.id, 2, 'The second one has words');
    await addPhoto(ada, first.id, 3, 'The third one too');
    const plain = await addPhoto(ben, long.id, 4);
    await addPhoto(ben, long.id, 5);
    await addPhoto(ada, gone.id, 6);
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: gone.id } });

    const { status, body } = await ben.call('GET /api/Stats/years/{year}', { params: { year: '2026' } });
    expect(status).toBe(200);
    const holder = ({ id, plannedDateTime }: typeof first, title: string, value: number | null) => ({
      plannedDateId: id,
      title,
      plannedDateTime,
      value,
    });
    expect(body).toMatchObject({
      year: 2026,
      totalMinutes: 260,
      dates: 2,
      memories: 5,
      newIdeas: 0,
      firstDate: holder(first, 'Stars', null),
      lastDate: holder(long, 'Dinner', null),
      longestDate: holder(long, 'Dinner', 200),
      mostMemories: holder(first, 'Stars', 3),
      favoriteCategory: { categoryName: 'Food & Dining', completedCount: 1, totalMinutes: 200 },
      places: [{ location: 'Lungarno', dates: 2 }],
      longestGapDays: 10,
    });
    expect(body.months[2]).toEqual({ month: '2026-03', minutes: 260, dates: 2 });
    expect(body.photographs).toEqual([named, plain]);
    // The test's clock says 2027, when the ideas were added.
    await completeDate(ada, { idea: stars, at: '2027-01-02T12:00:00Z', minutes: 1 });
    const next = await ada.call('GET /api/Stats/years/{year}', { params: { year: '2027' } });
    expect(next.body).toMatchObject({ dates: 1, newIdeas: 2, photographs: [] });
  });

  it('counts the dates about which both have written, and says nothing of a sealed note', {
    tags: ['stats.year.2'],
  }, async () => {
    const { ada, ben } = await registerCouple(app);
    const dates = await Promise.all(
      [1, 2, 3].map((day) => completeDate(ada, { at: Date.UTC(2026, 0, day, 12), minutes: 1 })),
    );
    const write = (who: Partner, id = '') =>
      who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id }, body: { text: 'I remember' } });
    const read = async () => (await ben.call('GET /api/Stats/years/{year}', { params: { year: '2026' } })).body;
    const before = await read();
    await write(ada, dates[0]?.id);
    expect(await read()).toEqual(before);
    await write(ada, dates[1]?.id);
    await write(ben, dates[1]?.id);
    expect((await read()).mutualNotes).toBe(1);
  });

  it('replies 404 for a year without a completed date, and for anything that is no year', {
    tags: ['stats.year.2'],
  }, async () => {
    const { ada } = await registerCouple(app);
    await planDate(ada, { at: '2026-06-01T12:00:00Z' });
    for (const year of ['2026', '0000', '9999', '99999', '-100', 'twenty', '2026.0', '%00']) {
      const { status, problem } = await ada.request('GET /api/Stats/years/{year}', { params: { year } });
      expect([year, status, problem.message]).toEqual([year, 404, 'Year not found']);
    }
  });

  it('takes as many queries with thirty dates as with one', { tags: ['stats.year.2'] }, async () => {
    const { ada } = await registerCouple(app);
    const { id: idea } = await addIdea(ada);
    const read = () => ada.call('GET /api/Stats/years/{year}', { params: { year: '2026' } });
    // The first call after a change reads the session again.
    const cost = () => read().then(() => countQueries(app, read));
    await addPhoto(ada, (await completeDate(ada, { idea, at: '2026-01-01T12:00:00Z', minutes: 1 })).id);
    const one = await cost();
    for (let day = 2; day < 31; day += 1) {
      const { id } = await completeDate(ada, { idea, at: Date.UTC(2026, 0, day, 12), minutes: 1 });
      if (day < 5) await addPhoto(ada, id, day);
    }
    expect(await cost()).toBe(one);
  });
});
