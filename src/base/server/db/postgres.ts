import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db } from './db.ts';
import type { Tables } from './tables.ts';

const INT8 = 20;
const CONNECTIONS = 10;

/** Opens PostgreSQL. A connection that can't be had in 5 seconds is an error, which answers 503. */
export function openPostgres(databaseUrl: string): { db: Db; migrate: Kysely<Tables> } {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    // Our largest numbers are sizes and instants in milliseconds, far below 2^53.
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
        const usual = pg.types.getTypeParser(oid, format as 'text') as (raw: string) => unknown;
        return oid === INT8 ? Number : usual;
      }) as typeof pg.types.getTypeParser,
    },
  });
  // A connection lost while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined);
  // So would one that is lost while it is lent out: whoever asked by it is told by the query itself.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    migrate: kysely,
    db: {
      engine: 'postgres',
      read: kysely,
      revision: () => null,
      write: (work) => kysely.transaction().execute(work),
      snapshot: (work) =>
        kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
      close: () => kysely.destroy(),
    },
  };
}
