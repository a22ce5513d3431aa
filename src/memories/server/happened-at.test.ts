import { type Kysely, type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { withEmptyDatabase } from '../../../tests/support/empty-database.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { addPhoto, completeDate, startDate } from '../../../tests/support/factories.ts';
import { makeJpeg } from '../../../tests/support/images.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { depsOf } from '../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { upload } from '../../../tests/support/upload.ts';
import { DAY, HOUR } from '../../base/durations.ts';
import { migrateTo } from '../../base/server/db/migrate.ts';
import type { Tables } from '../../base/server/db/tables/tables.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Memory } from '../contract.ts';
import type { MemorySort } from '../sorts.ts';
import { fillMissingHappenedAt } from './update-happened-at.ts';

const START = Date.UTC(2026, 10, 1, 12);
const iso = (ms: number) => new Date(ms).toISOString();

describeOnBoth('when a memory happened', (engine) => {
  let app: TestApp;
  let deps: Deps;
  let ada: Partner;
  let ben: Partner;
  let now = START;
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now });
    deps = await depsOf(app, () => now);
  });
  beforeEach(async () => {
    now = START;
    ({ ada, ben } = await registerCouple(app, 'Europe/Rome'));
  });
  afterAll(() => app.close());

  const happened = async (id: string) => (await ben.call('GET /api/Memories/{id}', { params: { id } })).body.happenedAt;
  /** Adds a photograph that was taken at a local time in Rome. */
  const taken = async (dateId: string, takenAt: string, seed: number) =>
    (await upload(ada, await makeJpeg({ seed, takenAt }), { dateId })).body;

  it('is in the answer to the upload and in every list', { tags: ['memories.happened.1'] }, async () => {
    const { id } = await completeDate(ada, { at: now - 3 * DAY, minutes: 120 });
    const late = await addPhoto(ada, id, 1);
    const old = await taken(id, '2019:06:01 18:00:00', 2);
    expect([late.happenedAt, old.happenedAt]).toEqual([iso(now - 3 * DAY), '2019-06-01T16:00:00.000Z']);
    const { body } = await ben.call('GET /api/Memories', { query: { sort: 'story-asc' } });
    expect(body).toEqual([old, late]);
  });

  it('follows the times of its date, but not those of one that was taken', {
    tags: ['memories.happened.2'],
  }, async () => {
    const { id } = await startDate(ada, { at: now + HOUR });
    const plain = await addPhoto(ada, id, 1);
    const old = await taken(id, '2019:06:01 18:00:00', 2);
    expect(plain.happenedAt).toBe(plain.uploadedAt);
    now += 10 * HOUR;
    const actualStartTime = iso(START - 5 * DAY);
    const body = { actualStartTime, actualEndTime: iso(START - 5 * DAY + HOUR) };
    await ada.call('POST /api/PlannedDates/{id}/complete', { params: { id }, body });
    expect([await happened(plain.id), await happened(old.id)]).toEqual([actualStartTime, old.happenedAt]);
  });

  it('is settled again when a memory comes back from the trash', { tags: ['memories.happened.2'] }, async () => {
    const { id } = await startDate(ada, { at: now + HOUR });
    const memory = await addPhoto(ada, id, 1);
    await ada.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
    const body = { actualStartTime: iso(START - 5 * DAY), actualEndTime: iso(START - 5 * DAY + HOUR) };
    await ada.call('POST /api/PlannedDates/{id}/complete', { params: { id }, body });
    const { body: back } = await ada.call('POST /api/Trash/{id}/restore', { params: { id: memory.id } });
    expect(back).toMatchObject({ happenedAt: body.actualStartTime });
    expect(await happened(memory.id)).toBe(body.actualStartTime);
  });

  it('sorts both ways, page by page, and has months of its own', { tags: ['memories.lists.4'] }, async () => {
    const { id } = await completeDate(ada, { at: now - 3 * DAY, minutes: 120 });
    // The third is centuries away, as from a wrong clock; the second and the fourth happened at the same time.
    const times = ['2019:06:01 18:00:00', '2024:03:31 23:59:00', '1901:01:01 12:00:00', '2024:03:31 23:59:00'];
    const kept: Memory[] = [];
    for (const [n, time] of times.entries()) {
      now += 1000;
      kept.push(await taken(id, time, n + 1));
    }
    const [summer, first, wrong, second] = kept as [Memory, Memory, Memory, Memory];
    const rising = [wrong, summer, first, second];
    for (const [sort, expected] of [
      ['story-asc', rising],
      ['story-desc', rising.toReversed()],
    ] as const satisfies readonly (readonly [MemorySort, readonly Memory[]])[]) {
      const pages: Memory[] = [];
      for (let path: string | undefined = `/api/Memories?sort=${sort}&count=1`; path !== undefined; ) {
        const response: Response = await fetch(app.url + path, { headers: { authorization: `Bearer ${ben.token}` } });
        pages.push(...((await response.json()) as Memory[]));
        path = /^<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1];
      }
      expect(pages).toEqual(expected);
      const { body: months } = await ben.call('GET /api/Memories/months', { query: { sort } });
      const counted = months.map(({ month, count }) => `${month}: ${count}`);
      const inOrder = ['1901-01: 1', '2019-06: 1', '2024-03: 2'];
      expect(counted).toEqual(sort === 'story-asc' ? inOrder : inOrder.toReversed());
      let place = 0;
      for (const { count, cursor } of months) {
        const { body } = await ben.call('GET /api/Memories', { query: { sort, cursor } });
        expect(body).toEqual(expected.slice(place));
        place += count;
      }
    }
  });

  it('is written by the sweep for what a node of an older version has added', {
    tags: ['memories.happened.3'],
  }, async () => {
    const { id } = await completeDate(ada, { at: now - 3 * DAY, minutes: 120 });
    const memory = await addPhoto(ada, id, 1);
    await deps.db.write((tx) =>
      tx.updateTable('memories').set({ happenedAt: 0 }).where('id', '=', memory.id).execute(),
    );
    await fillMissingHappenedAt(deps);
    expect(await happened(memory.id)).toBe(memory.happenedAt);
  });
});

/** A couple of an older version: two dates, and ten thousand and three memories. */
async function fillOldTables(db: Kysely<Tables>): Promise<void> {
  await sql`insert into "couples" ("id", "timeZone", "createdAt") values ('us', 'UTC', 1)`.execute(db);
  await sql`insert into "ideas" ("coupleId", "id", "title", "category", "isActive", "createdAt", "updatedAt", "version")
    values ('us', 'i', 'A walk', 'Outdoor', 1, 1, 1, 1)`.execute(db);
  await sql`insert into "dates" ("coupleId", "id", "ideaId", "status", "plannedDateTime", "actualStartTime",
      "actualEndTime", "createdAt", "updatedAt", "version")
    values ('us', 'past', 'i', 'Completed', 1, ${START}, ${START + HOUR}, 1, 1, 1)`.execute(db);
  const memory = (id: RawBuilder<unknown>, uploadedAt: RawBuilder<unknown>, takenAt: number | null) => sql`
    'us', ${id}, 'past', ${id}, 'a.jpg', '.jpg', 1, ${id}, 1, 1, '', ${uploadedAt}, cast(${takenAt} as bigint)`;
  const into = sql`insert into "memories" ("coupleId", "id", "dateId", "fileName", "originalFileName", "fileExtension",
    "fileSizeBytes", "sha256", "width", "height", "thumbHash", "uploadedAt", "takenAt")`;
  const number = (value: number) => sql`cast(${value} as bigint)`;
  await sql`${into} with recursive "n" ("i") as (select 1 union all select "i" + 1 from "n" where "i" < 10000)
    select ${memory(sql`'m-' || "i"`, sql`${number(START)} + "i"`, null)} from "n"`.execute(db);
  await sql`${into} values (${memory(sql`'taken'`, number(START + 9 * DAY), 5)}),
    (${memory(sql`'late'`, number(START + HOUR + DAY + 1), null)}),
    (${memory(sql`'soon'`, number(START + DAY), null)})`.execute(db);
}

describeOnBoth('the migration of when memories happened', (engine) => {
  it('fills every row, in batches', { tags: ['memories.happened.3'] }, () =>
    withEmptyDatabase(engine, async ({ db, migrate }) => {
      await migrateTo(migrate, '0028-fewer-date-indexes');
      await fillOldTables(migrate);
      await migrateTo(migrate, null);
      const rows = await db.read.selectFrom('memories').select(['id', 'happenedAt']).execute();
      expect(rows).toHaveLength(10_003);
      const byId = new Map(rows.map((row) => [row.id, row.happenedAt]));
      expect(['taken', 'late', 'soon', 'm-1', 'm-10000'].map((id) => byId.get(id))).toEqual([
        5,
        START,
        START + DAY,
        START + 1,
        START + 10_000,
      ]);
    }),
  );
});
