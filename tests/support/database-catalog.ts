import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../src/base/server/db/tables/tables.ts';

/** What a node relies on in a table, read from the database's catalog. */
export interface Table {
  readonly columns: ReadonlyMap<string, Column>;
  /** The columns of each unique index, for instance `coupleId, id`; a partial index has `where` at the end. */
  readonly unique: ReadonlySet<string>;
  readonly foreignKeys: readonly ForeignKey[];
}

export interface Column {
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
}

export interface ForeignKey {
  readonly columns: string;
  readonly to: string;
  /** 'cascade', 'set null', … */
  readonly onDelete: string;
}

export type Catalog = ReadonlyMap<string, Table>;

interface Rows {
  readonly unique: readonly { table: string; columns: string }[];
  readonly foreignKeys: readonly (ForeignKey & { table: string })[];
}

/** Reads the catalog of a database of either engine. */
export async function readCatalog(db: Kysely<Tables>, engine: 'sqlite' | 'postgres'): Promise<Catalog> {
  const tables = await db.introspection.getTables();
  const { unique, foreignKeys } = await (engine === 'sqlite' ? readSqlite(db) : readPostgres(db));
  return new Map(
    tables.map(({ name, columns }) => [
      name,
      {
        columns: new Map(
          columns.map((column) => [
            column.name,
            { type: column.dataType, isNullable: column.isNullable, hasDefault: column.hasDefaultValue },
          ]),
        ),
        unique: new Set(unique.filter(({ table }) => table === name).map((index) => index.columns)),
        foreignKeys: foreignKeys.filter(({ table }) => table === name),
      },
    ]),
  );
}

async function readSqlite(db: Kysely<Tables>): Promise<Rows> {
  const unique = await sql<Rows['unique'][number]>`
    select t.name as "table", group_concat(c.name, ', ') || case i.partial when 1 then ' where' else '' end as columns
      from sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
      where t.type = 'table' and i."unique" = 1 group by t.name, i.name`.execute(db);
  const foreignKeys = await sql<Rows['foreignKeys'][number]>`
    select t.name as "table", group_concat(f."from", ', ') as columns, f."table" as "to", lower(f.on_delete) as "onDelete"
      from sqlite_master t, pragma_foreign_key_list(t.name) f where t.type = 'table' group by t.name, f.id`.execute(db);
  return { unique: unique.rows, foreignKeys: foreignKeys.rows };
}

async function readPostgres(db: Kysely<Tables>): Promise<Rows> {
  const names = (table: string, list: string) => sql`(select string_agg(a.attname, ', ' order by n.at)
    from unnest(${sql.ref(list)}::smallint[]) with ordinality n(number, at)
    join pg_attribute a on a.attrelid = ${sql.ref(table)} and a.attnum = n.number)`;
  const unique = await sql<Rows['unique'][number]>`
    select c.relname as table, ${names('i.indrelid', 'i.indkey')}
        || case when i.indpred is null then '' else ' where' end as columns
      from pg_index i join pg_class c on c.oid = i.indrelid
      where i.indisunique and c.relnamespace = 'public'::regnamespace`.execute(db);
  const foreignKeys = await sql<Rows['foreignKeys'][number]>`
    select c.relname as table, ${names('f.conrelid', 'f.conkey')} as columns, t.relname as to,
        case f.confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'no action' end as "onDelete"
      from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class t on t.oid = f.confrelid
      where f.contype = 'f' and c.relnamespace = 'public'::regnamespace`.execute(db);
  return { unique: unique.rows, foreignKeys: foreignKeys.rows };
}
