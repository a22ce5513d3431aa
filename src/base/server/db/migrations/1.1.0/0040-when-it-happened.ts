import { type Kysely, type SqlBool, sql } from 'kysely';

/** Rows per statement, so that none takes longer than a database's limit for one. */
const BATCH = 5_000;

/**
 * When each memory happened: when it was taken; without that, the start of its date, if that ended more than a day before
 * the upload; or else the upload. A node of an older version writes 0, which the sweep replaces.
 */
export async function whenItHappened(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('memories')
    .addColumn('happenedAt', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  for (let after: Key | undefined = { coupleId: '', id: '' }; after !== undefined; after = await fillBatch(db, after));
  const shown = sql<SqlBool>`"deletedAt" is null and "dateDeletedAt" is null`;
  const index = (name: string, columns: string[], condition: typeof shown) =>
    db.schema.createIndex(name).on('memories').columns(columns).where(condition).execute();
  await index('memories_by_story', ['coupleId', 'happenedAt', 'uploadedAt', 'id'], shown);
  await index('memories_by_date_story', ['coupleId', 'dateId', 'happenedAt', 'uploadedAt', 'id'], shown);
  await index('memories_unplaced', ['coupleId', 'id'], sql<SqlBool>`"happenedAt" = 0`);
}

interface Key {
  readonly coupleId: string;
  readonly id: string;
}

/** Fills the rows after a key. Returns the last key, or undefined if there are no more. */
async function fillBatch(db: Kysely<unknown>, after: Key): Promise<Key | undefined> {
  const key = sql`("coupleId", "id")`;
  const { rows } = await sql<Key>`
    select "coupleId", "id" from "memories" where ${key} > (${after.coupleId}, ${after.id})
    order by "coupleId", "id" limit 1 offset ${BATCH - 1}`.execute(db);
  const [last] = rows;
  const until = last === undefined ? sql`true` : sql`${key} <= (${last.coupleId}, ${last.id})`;
  // A capture time after the year 9999, which the first versions accepted, counts as none. A day has 86,400,000 ms.
  await sql`
    update "memories" set "happenedAt" = coalesce(
      case when "takenAt" < 253402300800000 then "takenAt" end,
      (select "actualStartTime" from "dates"
        where "dates"."coupleId" = "memories"."coupleId" and "dates"."id" = "memories"."dateId"
          and "dates"."actualEndTime" + 86400000 < "memories"."uploadedAt"),
      "uploadedAt")
    where ${key} > (${after.coupleId}, ${after.id}) and ${until}`.execute(db);
  return last;
}
