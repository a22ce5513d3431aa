import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countQueries } from '../../../tests/support/count-queries.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { addIdea, addPhoto, completeDate, planDate, startDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';

const ACHIEVEMENTS = ['First Date', 'Time Flies', 'Date Night Regular', 'Quality Time', 'Date Master', 'Century Club'];

describeOnBoth('statistics', (engine) => {
  let app: TestApp;
  // New Year's Day, 10 a.m. in Tokyo, and still New Year's Eve in New York.
  const now = Date.parse('2027-01-01T01:00:00Z');
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now });
  });
  afterAll(() => app.close());

  it('go by UTC for a couple whose stored zone is none that this platform can use', {
    tags: ['wire.values.12'],
  }, async () => {
    const { ada } = await registerCouple(app);
    const { id } = ada.user.couple;
    await app.db.write((tx) =>
      tx
        .updateTable('couples')
        .set({ timeZone: 'SystemV/EST5' })
        .where('id', '=', id as never)
        .execute(),
    );
    expect((await ada.call('GET /api/Stats/time-together')).status).toBe(200);
    expect((await ada.call('GET /api/auth/session')).body.user.couple.timeZone).toBe('UTC');
  });

  it('of a new couple are zeros, nulls and empty lists', async () => {
    const { ada } = await registerCouple(app);
    expect((await ada.call('GET /api/Stats')).body).toEqual({
      totalMinutes: 0,
      formattedTotalTime: '0 hours',
      totalCompletedDates: 0,
      totalMemories: 0,
      recentAchievements: [],
    });
    const nothing = { minutes: 0, dates: 0 };
    expect((await ada.call('GET /api/Stats/time-together')).body).toEqual({
      totalMinutes: 0,
      formattedTotalTime: '0 hours',
      averageMinutes: 0,
      formattedAverageTime: '0 hours',
      periods: { thisMonth: nothing, lastMonth: nothing, thisYear: nothing, lastYear: nothing },
      byMonth: [],
    });
    expect((await ada.call('GET /api/Stats/dates')).body).toEqual({
      total: 0,
      planned: 0,
      inProgress: 0,
      completed: 0,
      cancelled: 0,
      upcoming: 0,
    });
    expect((await ada.call('GET /api/Stats/memories')).body).toEqual({
      total: 0,
      totalSizeBytes: 0,
      formattedTotalSize: '0 bytes',
      averagePerDate: 0,
    });
    expect((await ada.call('GET /api/Stats/categories')).body).toEqual([]);
    expect(await ada.call('GET /api/Stats/favorite-category')).toMatchObject({ status: 204, body: null });
    const { body: achievements } = await ada.call('GET /api/Stats/achievements');
    expect(achievements.map(({ title }) => title)).toEqual(ACHIEVEMENTS);
    expect(achievements.every(({ progress, earnedAt }) => progress === 0 && earnedAt === null)).toBe(true);
    expect((await ada.call('GET /api/Stats/records')).body).toEqual({
      longestDate: null,
      shortestDate: null,
      mostMemories: null,
      firstDate: null,
      busiestMonth: null,
    });
  });

  it('show each milestone to each partner once, in one of several windows', {
    tags: ['stats.milestones.1'],
  }, async () => {
    const { ada, ben } = await registerCouple(app);
    const names = async (who: Partner) => (await who.call('GET /api/Stats/celebrations')).body.map(({ id }) => id);
    const take = async (who: Partner, ...milestones: string[]) =>
      (await who.call('POST /api/Stats/celebrations', { body: { milestones } })).body.map(({ id }) => id);
    expect(await names(ada)).toEqual([]);
    expect(await take(ada, 'first-date')).toEqual([]);
    const date = await completeDate(ada, { at: '2026-12-28T10:00:00Z', minutes: 601 });
    expect(await names(ada)).toEqual(['first-date', 'time-flies']);
    // Two windows at once. A milestone that isn't earned can't be claimed.
    const taken = await Promise.all([take(ada, 'first-date', 'century-club'), take(ada, 'first-date')]);
    expect(taken.flat()).toEqual(['first-date']);
    expect(await names(ada)).toEqual(['time-flies']);
    expect(await names(ben)).toEqual(['first-date', 'time-flies']);
    // A milestone lost with its date and earned again stays seen.
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: date.id } });
    expect(await names(ben)).toEqual([]);
    await ada.call('POST /api/Trash/{id}/restore', { params: { id: date.id } });
    expect(await names(ada)).toEqual(['time-flies']);
    expect(await names(ben)).toEqual(['first-date', 'time-flies']);
  });

  describe('of a year with dates', { tags: ['stats.wire.10'] }, () => {
    let ada: Partner;
    let ben: Partner;
    const dates: Record<string, string> = {};
    beforeAll(async () => {
      ({ ada, ben } = await registerCouple(app, 'America/New_York'));
      const food = (await addIdea(ada, { title: 'Ramen', category: 'Food' })).id;
      const romantic = (await addIdea(ada, { title: 'Stars', category: 'Romantic' })).id;
      const done = async (name: string, idea: string, at: string, minutes: number) => {
        dates[name] = (await completeDate(ada, { idea, at, minutes })).id;
      };
      // Still October 31 in New York; thirty hours across a clock change.
      await done('thirty hours', romantic, '2026-11-01T03:30:00Z', 30 * 60);
      await done('short', food, '2026-10-02T22:00:00Z', 45);
      await done('last year', food, '2025-12-31T20:00:00Z', 100);
      await done('new year', food, '2027-01-01T00:00:00Z', 45);
      await done('deleted', food, '2020-01-01T00:00:00Z', 9000);
      await ben.call('DELETE /api/PlannedDates/{id}', { params: { id: dates.deleted ?? '' } });
      await planDate(ada, { idea: food, at: now + 3_600_000 });
      await planDate(ada, { idea: food, at: now - 3_600_000 });
      await startDate(ada, { idea: food, at: now });
      const off = await planDate(ada, { idea: food, at: now + 7_200_000 });
      await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: off.id } });
      // A deleted idea stays in the statistics.
      await ada.call('DELETE /api/DateIdeas/{id}', { params: { id: romantic } });
    });

    it("sum the whole minutes of completed dates that aren't deleted", { tags: ['stats.wire.1'] }, async () => {
      const { body } = await ben.call('GET /api/Stats');
      expect(body).toMatchObject({ totalMinutes: 1990, formattedTotalTime: '33h 10m', totalCompletedDates: 4 });
      expect(body.recentAchievements.map(({ title }) => title)).toEqual(['Time Flies', 'First Date']);
      expect(body.recentAchievements.map(({ earnedAt }) => earnedAt)).toEqual([
        '2026-11-02T09:30:00.000Z',
        '2025-12-31T21:40:00.000Z',
      ]);
    });

    it("group dates by the couple's calendar, by the day on which each date started", {
      tags: ['stats.wire.2'],
    }, async () => {
      const { body } = await ada.call('GET /api/Stats/time-together');
      // In New York it is still December 31, 2026.
      expect(body).toMatchObject({ averageMinutes: 497, formattedAverageTime: '8h 17m' });
      expect(body.periods).toEqual({
        thisMonth: { minutes: 45, dates: 1 },
        lastMonth: { minutes: 0, dates: 0 },
        thisYear: { minutes: 1890, dates: 3 },
        lastYear: { minutes: 100, dates: 1 },
      });
      expect(body.byMonth).toHaveLength(13);
      expect(body.byMonth.filter(({ dates }) => dates > 0)).toEqual([
        { month: '2025-12', minutes: 100, dates: 1 },
        { month: '2026-10', minutes: 1845, dates: 2 },
        { month: '2026-12', minutes: 45, dates: 1 },
      ]);
    });

    it('follow the couple to another time zone', { tags: ['stats.wire.2'] }, async () => {
      await ada.call('PUT /api/couple', { body: { timeZone: 'Asia/Tokyo' } });
      const { body } = await ada.call('GET /api/Stats/time-together');
      expect(body.periods.thisMonth).toEqual({ minutes: 45, dates: 1 });
      expect(body.periods.thisYear).toEqual({ minutes: 45, dates: 1 });
      expect(body.byMonth.filter(({ dates }) => dates > 0).map(({ month }) => month)).toEqual([
        '2026-01',
        '2026-10',
        '2026-11',
        '2027-01',
      ]);
      await ada.call('PUT /api/couple', { body: { timeZone: 'America/New_York' } });
    });

    it('count the dates by status', { tags: ['stats.wire.5'] }, async () => {
      expect((await ada.call('GET /api/Stats/dates')).body).toEqual({
        total: 8,
        planned: 2,
        inProgress: 1,
        completed: 4,
        cancelled: 1,
        upcoming: 1,
      });
    });

    it('list the categories, most time first, and the favorite, most dates first', {
      tags: ['stats.wire.6'],
    }, async () => {
      const romantic = { categoryName: 'Romantic', totalTime: '30h', totalMinutes: 1800, completedCount: 1 };
      const food = { categoryName: 'Food & Dining', totalTime: '3h 10m', totalMinutes: 190, completedCount: 3 };
      expect((await ada.call('GET /api/Stats/categories')).body).toEqual([romantic, food]);
      expect((await ada.call('GET /api/Stats/favorite-category')).body).toEqual(food);
    });

    it('report the progress of each milestone', { tags: ['stats.wire.7'] }, async () => {
      const { body } = await ada.call('GET /api/Stats/achievements');
      expect(body.map(({ progress, target, unit }) => `${progress}/${target} ${unit}`)).toEqual([
        '1/1 dates',
        '10/10 hours',
        '4/5 dates',
        '33.1/50 hours',
        '4/10 dates',
        '33.1/100 hours',
      ]);
    });

    it("report the records; ties go to the earliest, and a deleted photograph doesn't count", {
      tags: ['stats.wire.5', 'stats.wire.9', 'stats.wire.10', 'memories.trash.2'],
    }, async () => {
      const last = dates['last year'] ?? '';
      const short = dates.short ?? '';
      await addPhoto(ada, last, 1);
      const first = await addPhoto(ada, short, 2);
      await addPhoto(ada, short, 3);
      await ada.call('DELETE /api/Memories/{id}', { params: { id: first.id } });
      const holder = (name: string, title: string, plannedDateTime: string, value: number | null) => {
        return { plannedDateId: dates[name], title, plannedDateTime, value };
      };
      expect((await ben.call('GET /api/Stats/records')).body).toEqual({
        longestDate: holder('thirty hours', 'Stars', '2026-11-01T03:30:00.000Z', 1800),
        shortestDate: holder('short', 'Ramen', '2026-10-02T22:00:00.000Z', 45),
        mostMemories: holder('last year', 'Ramen', '2025-12-31T20:00:00.000Z', 1),
        firstDate: holder('last year', 'Ramen', '2025-12-31T20:00:00.000Z', null),
        busiestMonth: { month: '2026-10', dates: 2 },
      });
      const { body: memories } = await ada.call('GET /api/Stats/memories');
      expect(memories).toMatchObject({ total: 2, averagePerDate: 0.5 });
      expect(memories.formattedTotalSize).toBe(
        memories.totalSizeBytes < 1024
          ? `${memories.totalSizeBytes} bytes`
          : `${(memories.totalSizeBytes / 1024).toFixed(1)} KB`,
      );
      expect((await ada.call('GET /api/Stats')).body.totalMemories).toBe(2);
    });

    it('take as many queries as for a new couple', { tags: ['running.load.2'] }, async () => {
      const fresh = await registerCouple(app);
      const calls = ['', '/time-together', '/dates', '/memories', '/categories', '/records', '/achievements'] as const;
      for (const call of calls) {
        const asked = async (who: Partner) => {
          // Nothing is cached after a change.
          await addIdea(who);
          return countQueries(app, () => who.call(`GET /api/Stats${call}`));
        };
        expect([call, await asked(ada)]).toEqual([call, await asked(fresh.ada)]);
      }
    });
  });
});
