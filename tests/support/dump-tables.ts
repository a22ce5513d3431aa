import { sql } from 'kysely';
import type { Reader } from '../../src/base/server/db/db.ts';
import { tablePolicies } from '../../src/base/server/db/tables/table-policies.ts';

/** The tables in the order in which their rows are inserted. The last two are the migrator's own. */
const TABLES = [...Object.keys(tablePolicies), 'kysely_migration', 'kysely_migration_lock'];

/** The statements that create the tables, indexes and triggers of a SQLite database. */
export async function sqliteTables(db: Reader): Promise<string> {
  const { rows } = await sql<{ statement: string }>`
    select sql as statement from sqlite_master where sql is not null order by rowid`.execute(db);
  return script(rows.map(({ statement }) => statement));
}

/** The statements that create the tables, constraints, indexes and triggers of a PostgreSQL database. */
export async function postgresTables(db: Reader): Promise<string> {
  const { rows } = await sql<{ statement: string }>`
    select format('create table %I (%s)', c.relname, string_agg(
        format('%I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' end,
          ' default ' || pg_get_expr(d.adbin, d.adrelid)), ', ' order by a.attnum)) as statement, 1 as step, c.relname as name
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      group by c.relname
    union all
    select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)),
        case contype when 'f' then 3 else 2 end, conname
      from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'c', 'f')
    union all
    select pg_get_indexdef(indexrelid), 4, indexrelid::regclass::text
      from pg_index
      where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
        and indexrelid not in (select conindid from pg_constraint)
    union all
    select pg_get_functiondef(oid), 5, proname
      from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
    union all
    select pg_get_triggerdef(oid), 6, tgname
      from pg_trigger
      where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    order by step, name`.execute(db);
  return script(rows.map(({ statement }) => statement));
}

/** The statements that insert all rows, for both engines. */
export async function allRows(db: Reader): Promise<string> {
  const statements: string[] = [];
  for (const table of TABLES) {
    const { rows } = await sql<Record<string, string | number | null>>`select * from ${sql.table(table)}`.execute(db);
    for (const row of rows) {
      const columns = Object.keys(row).map((column) => `"${column}"`);
      statements.push(
        `insert into "${table}" (${columns.join(', ')}) values (${Object.values(row).map(literal).join(', ')})`,
      );
    }
  }
  return script(statements);
}

function literal(value: string | number | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

function script(statements: readonly string[]): string {
  return statements.map((statement) => `${statement};\n`).join('');
}
