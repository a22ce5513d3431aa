import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';

/** What the figures of a couple's history are made of: the columns of each table that holds it. */
const SOURCES = {
  dates: ['ideaId', 'status', 'plannedDateTime', 'actualStartTime', 'actualEndTime', 'deletedAt'],
  surprises: ['surpriseBy', 'revealedAt'],
  memoryCounts: ['memories', 'bytes'],
  ideas: ['title', 'category'],
} as const;

type Source = keyof typeof SOURCES;
const TABLES = Object.keys(SOURCES) as Source[];

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
  const random = isPostgres ? sql`gen_random_uuid()::text` : sql`lower(hex(randomblob(16)))`;
  for (const statement of isPostgres ? postgresTriggers(random) : sqliteTriggers(random)) await statement.execute(db);
  await sql`insert into "albumRevisions" ("coupleId", "revision") select "id", ${random} from "couples"`.execute(db);
}

const start = (random: RawBuilder<unknown>) =>
  sql`insert into "albumRevisions" ("coupleId", "revision") values (new."id", ${random})`;

function sqliteTriggers(random: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const renew = (row: RawBuilder<unknown>) =>
    sql`update "albumRevisions" set "revision" = ${random} where "coupleId" = ${row}`;
  return [
    sql`create trigger "album_couples_inserted" after insert on "couples" begin ${start(random)}; end`,
    sql`create trigger "album_couples_updated" after update of "timeZone" on "couples"
      when new."timeZone" <> old."timeZone" begin ${renew(sql`new."id"`)}; end`,
    ...TABLES.flatMap((table) => {
      const differs = SOURCES[table].map((column) => sql`new.${sql.ref(column)} is not old.${sql.ref(column)}`);
      const trigger = (event: string) => sql.ref(`album_${table}_${event}`);
      const on = sql.table(table);
      return [
        sql`create trigger ${trigger('inserted')} after insert on ${on} begin ${renew(sql`new."coupleId"`)}; end`,
        sql`create trigger ${trigger('updated')} after update of ${sql.join(SOURCES[table].map((column) => sql.ref(column)))}
          on ${on} when ${sql.join(differs, sql` or `)} begin ${renew(sql`new."coupleId"`)}; end`,
        sql`create trigger ${trigger('deleted')} after delete on ${on} begin ${renew(sql`old."coupleId"`)}; end`,
      ];
    }),
  ];
}

/**
 * They wait for the commit, so that the couple's row is locked last and only for a moment: nothing waits for a transaction
 * that holds it, and no two wait for each other. A transaction renews the text once, however many rows it changes.
 */
function postgresTriggers(random: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const create = (name: string, work: RawBuilder<unknown>) =>
    sql`create function ${sql.ref(name)}() returns trigger language plpgsql as $$ begin ${work}; return null; end $$`;
  const renew = (couple: RawBuilder<unknown>) =>
    sql`update "albumRevisions" set "revision" = ${random}
      where "coupleId" = ${couple} and "xmin" <> pg_current_xact_id()::xid`;
  const trigger = (name: string, event: RawBuilder<unknown>, condition: RawBuilder<unknown>, run: string) =>
    sql`create constraint trigger ${sql.ref(`album_${name}`)} after ${event} deferrable initially deferred
      for each row ${condition} execute function ${sql.ref(run)}()`;
  return [
    create('start_album', start(random)),
    create('renew_album', renew(sql`new."coupleId"`)),
    create('renew_album_after_delete', renew(sql`old."coupleId"`)),
    create('renew_album_of_couple', renew(sql`new."id"`)),
    sql`create trigger "album_couples_inserted" after insert on "couples" for each row execute function "start_album"()`,
    trigger(
      'couples_updated',
      sql`update on "couples"`,
      sql`when (new."timeZone" <> old."timeZone")`,
      'renew_album_of_couple',
    ),
    ...TABLES.flatMap((table) => {
      const on = sql.table(table);
      const differs = SOURCES[table].map(
        (column) => sql`new.${sql.ref(column)} is distinct from old.${sql.ref(column)}`,
      );
      return [
        trigger(`${table}_inserted`, sql`insert on ${on}`, sql``, 'renew_album'),
        trigger(`${table}_updated`, sql`update on ${on}`, sql`when (${sql.join(differs, sql` or `)})`, 'renew_album'),
        trigger(`${table}_deleted`, sql`delete on ${on}`, sql``, 'renew_album_after_delete'),
      ];
    }),
  ];
}
