import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../tests/support/app.ts';
import { registerCouple } from '../../../tests/support/client.ts';
import { withEmptyDatabase } from '../../../tests/support/empty-database.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { planDate } from '../../../tests/support/factories.ts';
import { memoryRow } from '../../../tests/support/memory-row.ts';
import type { CoupleId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { migrateTo } from '../../base/server/db/open.ts';

/** The counts that triggers have kept, of the dates that have memories. */
async function keptCounts(reader: Reader, coupleId: CoupleId) {
  return reader
    .selectFrom('memoryCounts')
    .select(['dateId', 'memories', 'bytes'])
    .where('coupleId', '=', coupleId)
    .where(({ eb, or }) => or([eb('memories', '<>', 0), eb('bytes', '<>', 0)]))
    .orderBy('dateId')
    .execute();
}

/** The same, counted one by one. */
async function recount(reader: Reader, coupleId: CoupleId) {
  const rows = await reader.selectFrom('memories').selectAll().where('coupleId', '=', coupleId).execute();
  const live = rows.filter((row) => row.deletedAt === null && row.dateDeletedAt === null);
  return [...Map.groupBy(live, ({ dateId }) => dateId)]
    .map(([dateId, own]) => ({
      dateId,
      memories: own.length,
      bytes: own.reduce((sum, { fileSizeBytes }) => sum + fileSizeBytes, 0),
    }))
    .toSorted((a, b) => (a.dateId < b.dateId ? -1 : 1));
}

const DATES = 3;
const someDate = fc.nat(DATES - 1);
const timeOrNull = fc.constantFrom(null, 1);
/** A statement that changes memories, several at once. */
const change = fc.oneof(
  fc.record({ add: fc.array(fc.record({ date: someDate, bytes: fc.nat(2 ** 31) }), { minLength: 1, maxLength: 4 }) }),
  fc.record({ trash: fc.nat(5), deletedAt: timeOrNull }),
  fc.record({ trashWith: someDate, dateDeletedAt: timeOrNull }),
  fc.record({ move: fc.nat(5), date: someDate, bytes: fc.nat(2 ** 31) }),
  fc.record({ caption: someDate }),
  fc.record({ erase: fc.nat(5) }),
  fc.record({ eraseWith: someDate }),
);

describeOnBoth('the counts of memories', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(engine);
  });
  afterAll(() => app.close());

  it('are those of a recount after any change, also one that is rolled back', async () => {
    const { ada } = await registerCouple(app);
    const coupleId = ada.user.couple.id as CoupleId;
    const dates: string[] = [];
    for (let n = 0; n < DATES; n += 1) dates.push((await planDate(ada)).id);
    const { db } = app;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ change, fails: fc.boolean() }), { maxLength: 12 }), async (changes) => {
        for (const { change: one, fails } of changes) {
          const failure = new Error('rolled back');
          const done = db.write(async (tx) => {
            await apply(tx, coupleId, dates, one);
            expect(await keptCounts(tx, coupleId)).toEqual(await recount(tx, coupleId));
            if (fails) throw failure;
          });
          if (fails) await expect(done).rejects.toBe(failure);
          else await done;
          expect(await keptCounts(db.read, coupleId)).toEqual(await recount(db.read, coupleId));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('are filled by the migration for the memories that exist', async () => {
    await withEmptyDatabase(engine, async ({ db, migrate }) => {
      await migrateTo(migrate, '0027-surprises');
      const [coupleId, ideaId, dateId] = ['us' as CoupleId, 'idea', 'date'];
      await sql`insert into couples ("id", "timeZone", "createdAt") values (${coupleId}, 'UTC', 1)`.execute(migrate);
      await sql`insert into ideas ("coupleId", "id", "title", "category", "isActive", "createdAt", "updatedAt", "version")
        values (${coupleId}, ${ideaId}, 'A walk', 'Outdoor', 1, 1, 1, 1)`.execute(migrate);
      await sql`insert into dates ("coupleId", "id", "ideaId", "status", "plannedDateTime", "createdAt", "updatedAt", "version")
        values (${coupleId}, ${dateId}, ${ideaId}, 'Planned', 1, 1, 1, 1)`.execute(migrate);
      const rows = [memoryRow(coupleId, dateId, 5), memoryRow(coupleId, dateId, 7), memoryRow(coupleId, dateId, 9)];
      await migrate.insertInto('memories').values(rows).execute();
      await migrate.updateTable('memories').set({ deletedAt: 1 }).where('fileSizeBytes', '=', 9).execute();
      await migrateTo(migrate, null);
      expect(await keptCounts(db.read, coupleId)).toEqual([{ dateId, memories: 2, bytes: 12 }]);
      // With the couple's dates, as an older version deletes them.
      for (const table of ['memories', 'dates'] as const) {
        await migrate.deleteFrom(table).where('coupleId', '=', coupleId).execute();
      }
      expect(await db.read.selectFrom('memoryCounts').selectAll().execute()).toEqual([]);
    });
  });
});

async function apply(
  tx: Writer,
  coupleId: CoupleId,
  dates: readonly string[],
  one: typeof change extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  const dateOf = (n: number) => dates[n] ?? '';
  const update = () => tx.updateTable('memories').where('coupleId', '=', coupleId);
  const erase = () => tx.deleteFrom('memories').where('coupleId', '=', coupleId);
  /** The id of a memory; none if there aren't so many. */
  const idOf = async (n: number) => {
    const ids = tx.selectFrom('memories').select('id').where('coupleId', '=', coupleId).orderBy('id');
    return (await ids.offset(n).limit(1).executeTakeFirst())?.id ?? '';
  };
  if ('add' in one) {
    const rows = one.add.map(({ date, bytes }) => memoryRow(coupleId, dateOf(date), bytes));
    await tx.insertInto('memories').values(rows).execute();
  } else if ('trash' in one) {
    await update()
      .set({ deletedAt: one.deletedAt })
      .where('id', '=', await idOf(one.trash))
      .execute();
  } else if ('trashWith' in one) {
    await update().set({ dateDeletedAt: one.dateDeletedAt }).where('dateId', '=', dateOf(one.trashWith)).execute();
  } else if ('move' in one) {
    await update()
      .set({ dateId: dateOf(one.date), fileSizeBytes: one.bytes })
      .where('id', '=', await idOf(one.move))
      .execute();
  } else if ('caption' in one) {
    await update().set({ caption: 'By the river' }).where('dateId', '=', dateOf(one.caption)).execute();
  } else if ('erase' in one) {
    await erase()
      .where('id', '=', await idOf(one.erase))
      .execute();
  } else {
    await erase().where('dateId', '=', dateOf(one.eraseWith)).execute();
  }
}
