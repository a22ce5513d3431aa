import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';

/** What the figures of a couple's history are made of: the columns of each table that holds it. */
const SOURCES = {
  dates: ['coupleId', 'id', 'ideaId', 'status', 'plannedDateTime', 'actualStartTime', 'actualEndTime', 'deletedAt'],
  memoryCounts: ['coupleId', 'dateId', 'memories', 'bytes'],
  ideas: ['coupleId', 'id', 'title', 'category'],
  couples: ['id', 'timeZone'],
} as const;

type Source = keyof typeof SOURCES;

/** The column with the couple's id. */
const coupleOf = (table: Source) => (table === 'couples' ? 'id' : 'coupleId');

/**
 * A random text for each couple, another one after each commit that changes what the figures of their history are made of,
 * so that a node knows with one short query whether the figures that it has cached still hold. Triggers keep it, also when
 * a node of an older version writes. It is random and not a number: after a failover that loses commits, a number could
 * come a second time. No line of the statements ends with a semicolon, because the kept releases are split there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('albumRevisions')
    .addColumn('coupleId', 'text', (c) => c.primaryKey().references('couples.id').onDelete('cascade'))
    .addColumn('revision', 'text', (c) => c.notNull())
    .execute();
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const statement of isPostgres ? postgresTriggers() : sqliteTriggers()) await statement.execute(db);
  const random = isPostgres ? sql`gen_random_uuid()::text` : RANDOM;
  await sql`insert into "albumRevisions" ("coupleId", "revision") select "id", ${random} from "couples"`.execute(db);
}

const EVENTS = { insert: sql`insert`, update: sql`update`, delete: sql`delete` } as const;

const RANDOM = sql`lower(hex(randomblob(16)))`;

/** One statement per changed row. */
function sqliteTriggers(): RawBuilder<unknown>[] {
  const renew = (table: Source, row: 'new' | 'old') =>
    sql`update "albumRevisions" set "revision" = ${RANDOM} where "coupleId" = ${sql.ref(`${row}.${coupleOf(table)}`)}`;
  return (Object.keys(SOURCES) as Source[]).flatMap((table) => {
    const trigger = (event: string) => sql.ref(`album_${table}_${event}`);
    const columns = SOURCES[table].map((column) => sql.ref(column));
    const differ = SOURCES[table].map((column) => sql`${sql.ref(`new.${column}`)} is not ${sql.ref(`old.${column}`)}`);
    const updated = sql`create trigger ${trigger('updated')} after update of ${sql.join(columns)} on ${sql.table(table)}
      when ${sql.join(differ, sql` or `)} begin ${renew(table, 'new')}; end`;
    if (table === 'couples') {
      return [
        updated,
        sql`create trigger ${trigger('inserted')} after insert on "couples" begin
          insert into "albumRevisions" ("coupleId", "revision") values (new."id", ${RANDOM}); end`,
      ];
    }
    return [
      updated,
      sql`create trigger ${trigger('inserted')} after insert on ${sql.table(table)} begin ${renew(table, 'new')}; end`,
      sql`create trigger ${trigger('deleted')} after delete on ${sql.table(table)} begin ${renew(table, 'old')}; end`,
    ];
  });
}

/** One statement per statement, however many rows it changes. */
function postgresTriggers(): RawBuilder<unknown>[] {
  const create = (name: string, work: RawBuilder<unknown>) =>
    sql`create function ${sql.ref(name)}() returns trigger language plpgsql as $$ begin ${work}; return null; end $$`;
  const renew = (couples: RawBuilder<unknown>) =>
    sql`update "albumRevisions" set "revision" = gen_random_uuid()::text where "coupleId" in (${couples})`;
  const functions = [
    create('renew_album', renew(sql`select "coupleId" from "changed"`)),
    create(
      'start_album',
      sql`insert into "albumRevisions" ("coupleId", "revision") select "id", gen_random_uuid()::text from "changed"`,
    ),
  ];
  const triggers = (Object.keys(SOURCES) as Source[]).flatMap((table) => {
    const columns = sql.join(SOURCES[table].map((column) => sql.ref(column)));
    const on = (event: keyof typeof EVENTS, tables: RawBuilder<unknown>, run: string) =>
      sql`create trigger ${sql.ref(`album_${table}_${event}`)} after ${EVENTS[event]} on ${sql.table(table)}
        referencing ${tables} for each statement execute function ${sql.ref(run)}()`;
    // Without the rows that a statement writes as they were, for instance to lock them.
    const differing = sql`select ${sql.ref(coupleOf(table))} from
      (select ${columns} from "before" except select ${columns} from "after") as "differing"`;
    const compare = `renew_album_of_${table}`;
    const updated = [
      create(compare, renew(differing)),
      on('update', sql`old table as "before" new table as "after"`, compare),
    ];
    if (table === 'couples') return [...updated, on('insert', sql`new table as "changed"`, 'start_album')];
    return [
      ...updated,
      on('insert', sql`new table as "changed"`, 'renew_album'),
      on('delete', sql`old table as "changed"`, 'renew_album'),
    ];
  });
  return [...functions, ...triggers];
}
