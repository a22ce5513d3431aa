import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { DAY, HOUR, MINUTE, minutesBetween } from '../../base/durations.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import { NO_TEXTS } from '../../dates/optional-texts.ts';
import { STATUSES } from '../../dates/rules.ts';
import { CATEGORIES } from '../../ideas/categories.ts';
import { categoriesOf, favoriteOf } from '../category-figures.ts';
import { latestEarned, milestonesOf } from '../milestones.ts';
import { byMonth, periodsOf } from '../periods.ts';
import { recordsOf } from '../records.ts';

const NOW = Date.parse('2027-01-01T01:00:00Z');
const CATEGORY_NAMES = CATEGORIES.map(({ value }) => value);

/** A random date: its idea, status and actual times relative to now, and its memories. */
const someDate = fc.record({
  idea: fc.nat(5),
  status: fc.oneof(
    { weight: 3, arbitrary: fc.constant('Completed' as const) },
    fc.constantFrom(...STATUSES.map(({ value }) => value)),
  ),
  // Some on the same instant, some around the ends of months.
  start: fc.oneof(
    fc.constant(-40 * DAY),
    fc.integer({ min: -1500, max: 0 }).map((days) => days * DAY),
    fc.integer({ min: -9 * HOUR, max: 14 * HOUR }).map((offset) => offset - 31 * DAY),
  ),
  seconds: fc.oneof(fc.nat(59), fc.constant(5400), fc.nat(40 * 3600)),
  isDeleted: fc.boolean(),
  memories: fc.array(fc.record({ bytes: fc.nat(2 ** 31), isDeleted: fc.boolean() }), { maxLength: 3 }),
});
type SomeDate = typeof someDate extends fc.Arbitrary<infer T> ? T : never;

const someHistory = fc.record({
  zone: fc.constantFrom('UTC', 'Pacific/Apia', 'America/St_Johns', 'Africa/Casablanca', 'Asia/Kathmandu'),
  categories: fc.array(fc.constantFrom(...CATEGORY_NAMES), { minLength: 6, maxLength: 6 }),
  dates: fc.array(someDate, { maxLength: 40 }),
});

describeOnBoth('the figures of a history', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => NOW });
  });
  afterAll(() => app.close());

  it('are those of a plain recount, in any time zone', { tags: ['stats.wire.13'] }, async () => {
    await fc.assert(
      fc.asyncProperty(someHistory, async ({ zone, categories, dates }) => {
        const { ada } = await registerCouple(app, zone);
        const recount = await insertHistory(ada, categories, dates);
        expect(await figuresOf(ada)).toEqual(recount(zone));
        await ada.call('PUT /api/couple', { body: { timeZone: 'Asia/Tokyo' } });
        expect(await figuresOf(ada)).toEqual(recount('Asia/Tokyo'));
      }),
      { numRuns: 12 },
    );
  });

  async function figuresOf(who: Partner) {
    const body = async <T>(call: Promise<{ body: T }>) => (await call).body;
    return {
      stats: await body(who.call('GET /api/Stats')),
      time: await body(who.call('GET /api/Stats/time-together')),
      dates: await body(who.call('GET /api/Stats/dates')),
      memories: await body(who.call('GET /api/Stats/memories')),
      categories: await body(who.call('GET /api/Stats/categories')),
      favorite: await body(who.call('GET /api/Stats/favorite-category')),
      achievements: await body(who.call('GET /api/Stats/achievements')),
      records: await body(who.call('GET /api/Stats/records')),
    };
  }

  /** Inserts a history. @returns a function that recounts it from scratch, in a time zone */
  async function insertHistory(who: Partner, categories: readonly string[], some: readonly SomeDate[]) {
    const { coupleId, id: userId } = await app.db.read
      .selectFrom('users')
      .select(['coupleId', 'id'])
      .where('id', '=', who.user.id as UserId)
      .executeTakeFirstOrThrow();
    const rows = rowsOf(coupleId, userId, categories, some);
    await app.db.write(async (tx) => {
      for (const idea of rows.ideas) await tx.insertInto('ideas').values(idea).execute();
      for (const { date } of rows.dates) await tx.insertInto('dates').values(date).execute();
      for (const { memories } of rows.dates) {
        for (const memory of memories) await tx.insertInto('memories').values(memory).execute();
      }
    });
    return (zone: string) => recountOf(rows, zone);
  }
});

type Rows = ReturnType<typeof rowsOf>;

function rowsOf(coupleId: CoupleId, userId: UserId, categories: readonly string[], some: readonly SomeDate[]) {
  const ideas = categories.map((category, n) => ({
    coupleId,
    id: uuidv7(),
    title: `Idea ${n}`,
    description: null,
    category,
    isActive: 1,
    createdAt: NOW,
    updatedAt: NOW,
    version: 1,
    deletedAt: n === 1 ? NOW : null,
  }));
  const dates = some.map(({ idea, status, start, seconds, isDeleted, memories }) => {
    const [from, id] = [NOW + start, uuidv7()];
    const deletion = isDeleted ? { deletedAt: NOW, deletedBy: userId } : { deletedAt: null, deletedBy: null };
    const hasStarted = status === 'Completed' || status === 'InProgress';
    const date = {
      coupleId,
      id,
      ideaId: ideas[idea]?.id ?? '',
      status,
      plannedDateTime: hasStarted ? from - 30 * MINUTE : from + 45 * DAY,
      endDateTime: null,
      ...NO_TEXTS,
      actualStartTime: hasStarted ? from : null,
      actualEndTime: status === 'Completed' ? from + seconds * 1000 : null,
      createdAt: NOW,
      updatedAt: NOW,
      version: 1,
      ...deletion,
    };
    const memoryRows = memories.map((memory) => ({
      coupleId,
      id: uuidv7(),
      dateId: id,
      fileName: `${uuidv7()}.jpg`,
      originalFileName: 'photo.jpg',
      fileExtension: '.jpg',
      fileSizeBytes: memory.bytes,
      sha256: uuidv7(),
      width: 1,
      height: 1,
      thumbHash: '',
      caption: null,
      uploadedAt: NOW,
      takenAt: null,
      correctedTakenAt: null,
      updatedAt: null,
      version: 1,
      happenedAt: NOW,
      deletedAt: memory.isDeleted ? NOW : null,
      deletedBy: memory.isDeleted ? userId : null,
      dateDeletedAt: isDeleted && !memory.isDeleted ? NOW : null,
    }));
    return { date, memories: memoryRows };
  });
  return { ideas, dates };
}

/** Computes all figures from each date and memory, one by one. */
function recountOf({ ideas, dates }: Rows, zone: string) {
  const live = dates.filter(({ date }) => date.deletedAt === null);
  const completed = live.flatMap(({ date }) => {
    const { id, plannedDateTime, actualStartTime: start, actualEndTime: end } = date;
    const idea = ideas.find((one) => one.id === date.ideaId);
    if (!idea || start === null || end === null || date.status !== 'Completed') return [];
    const { title, category } = idea;
    return [{ id, title, category, plannedDateTime, start, end, minutes: minutesBetween(start, end) }];
  });
  const photographed = live.flatMap(({ date, memories }) => {
    const count = memories.filter(({ deletedAt }) => deletedAt === null).length;
    const title = ideas.find((one) => one.id === date.ideaId)?.title ?? '';
    const start = date.actualStartTime ?? date.plannedDateTime;
    return count === 0 ? [] : [{ ...date, title, start, memories: count }];
  });
  const sizes = live.flatMap(({ memories }) => memories.flatMap((one) => (one.deletedAt ? [] : [one.fileSizeBytes])));
  const minutes = completed.reduce((sum, date) => sum + date.minutes, 0);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const months = byMonth(completed, NOW, zone);
  const milestones = milestonesOf(completed);
  const categories = categoriesOf(completed);
  const withStatus = (status: string) => live.filter(({ date }) => date.status === status);
  return {
    stats: expect.objectContaining({
      totalMinutes: minutes,
      totalCompletedDates: completed.length,
      totalMemories: sizes.length,
      recentAchievements: latestEarned(milestones),
    }) as unknown,
    time: expect.objectContaining({
      totalMinutes: minutes,
      averageMinutes: completed.length === 0 ? 0 : Math.floor(minutes / completed.length),
      periods: periodsOf(months, NOW, zone),
      byMonth: months,
    }) as unknown,
    dates: {
      total: live.length,
      planned: withStatus('Planned').length,
      inProgress: withStatus('InProgress').length,
      completed: withStatus('Completed').length,
      cancelled: withStatus('Cancelled').length,
      upcoming: withStatus('Planned').filter(({ date }) => date.plannedDateTime >= NOW).length,
    },
    memories: expect.objectContaining({
      total: sizes.length,
      totalSizeBytes: bytes,
      averagePerDate: completed.length === 0 ? 0 : Math.round((sizes.length / completed.length) * 10) / 10,
    }) as unknown,
    categories,
    favorite: favoriteOf(categories),
    achievements: milestones,
    records: recordsOf(completed, photographed, months),
  };
}
