import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';

/**
 * The number of each date's memories that aren't in the trash, and the size of their originals, so that nothing counts a
 * long history's memories one by one. Triggers keep them, also when a node of an older version writes memories. No line
 * of their statements ends with a semicolon, because the kept releases are split there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memoryCounts')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('dateId', 'text', (c) => c.notNull())
    .addColumn('memories', 'integer', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('memory_counts_key', ['coupleId', 'dateId'])
    .addForeignKeyConstraint('memory_counts_date', ['coupleId', 'dateId'], 'dates', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('memory_counts_by_number')
    .on('memoryCounts')
    .columns(['coupleId', 'memories', 'dateId', 'bytes'])
    .execute();
  const triggers = db.getExecutor().adapter instanceof PostgresAdapter ? postgresTriggers() : sqliteTriggers();
  for (const statement of triggers) await statement.execute(db);
  await sql`insert into "memoryCounts" ("coupleId", "dateId", "memories", "bytes")
    select "coupleId", "dateId", count(*), sum("fileSizeBytes") from "memories"
    where "deletedAt" is null and "dateDeletedAt" is null group by "coupleId", "dateId"`.execute(db);
}

const addToCounts = sql`on conflict ("coupleId", "dateId") do update
  set "memories" = "memoryCounts"."memories" + excluded."memories", "bytes" = "memoryCounts"."bytes" + excluded."bytes"`;

/** One statement per changed row. */
function sqliteTriggers(): RawBuilder<unknown>[] {
  const add = (sign: RawBuilder<number>, row: 'new' | 'old') => {
    const column = (name: string) => sql.ref(`${row}.${name}`);
    return sql`insert into "memoryCounts" ("coupleId", "dateId", "memories", "bytes")
      select ${column('coupleId')}, ${column('dateId')}, ${sign}, ${sign} * ${column('fileSizeBytes')}
      where ${column('deletedAt')} is null and ${column('dateDeletedAt')} is null ${addToCounts}`;
  };
  const [added, removed] = [add(sql.lit(1), 'new'), add(sql.lit(-1), 'old')];
  return [
    sql`create trigger "memories_inserted" after insert on "memories" begin ${added}; end`,
    sql`create trigger "memories_updated" after update of "coupleId", "dateId", "fileSizeBytes", "deletedAt", "dateDeletedAt"
      on "memories" begin ${removed}; ${added}; end`,
    sql`create trigger "memories_deleted" after delete on "memories" begin ${removed}; end`,
  ];
}

/** One statement per changed date, in the order of the dates, so that two transactions don't wait for each other. */
function postgresTriggers(): RawBuilder<unknown>[] {
  const rows = (sign: RawBuilder<number>, table: string) => sql`select "coupleId", "dateId", ${sign} as "sign",
    "fileSizeBytes" from ${sql.ref(table)} where "deletedAt" is null and "dateDeletedAt" is null`;
  const [added, removed] = [rows(sql.lit(1), 'added'), rows(sql.lit(-1), 'removed')];
  const trigger = (
    event: RawBuilder<unknown>,
    name: string,
    changes: RawBuilder<unknown>,
    tables: RawBuilder<unknown>,
  ) => [
    sql`create function ${sql.ref(`count_${name}`)}() returns trigger language plpgsql as $$ begin
      insert into "memoryCounts" ("coupleId", "dateId", "memories", "bytes")
      select "coupleId", "dateId", sum("sign"), sum("sign" * "fileSizeBytes") from (${changes}) as "changes"
      group by "coupleId", "dateId" having sum("sign") <> 0 or sum("sign" * "fileSizeBytes") <> 0
      order by "coupleId", "dateId" ${addToCounts}; return null; end $$`,
    sql`create trigger ${sql.ref(name)} after ${event} on "memories" referencing ${tables}
      for each statement execute function ${sql.ref(`count_${name}`)}()`,
  ];
  const [newTable, oldTable] = [sql`new table as "added"`, sql`old table as "removed"`];
  return [
    ...trigger(sql`insert`, 'memories_inserted', added, newTable),
    ...trigger(sql`update`, 'memories_updated', sql`${removed} union all ${added}`, sql`${oldTable} ${newTable}`),
    ...trigger(sql`delete`, 'memories_deleted', removed, oldTable),
  ];
}
