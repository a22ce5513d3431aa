import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db, Writer } from './db.ts';
import { isConflict, isLostConnection, isReadOnly, isReadTimeout } from './faults.ts';
import type { Tables } from './tables.ts';

const INT8 = 20;
const CONNECTIONS = 10;

/** A peer that vanished without a word is noticed by the system even where nothing is being asked. */
export const KEEPALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * Limits of a request's queries, in milliseconds. The server ends a statement, and a transaction that asks nothing (its
 * node is stopped or gone), so that nobody waits for their locks; the client gives up a little later, for a server that
 * no longer answers at all. `DATABASE_URL` may set others: `?statement_timeout=30000`.
 */
const LIMITS = {
  statement_timeout: 10_000,
  query_timeout: 12_000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

/** Migrations and snapshots take as long as there is to read, and pause while a backup's disk writes. */
const PATIENT_LIMITS = { statement_timeout: 600_000, query_timeout: 610_000 } as const;

/** How often a transaction is run at most, and the pause before it is run again. */
const RUNS = 4;
const PAUSE_MS = 50;

/** Opens PostgreSQL. A connection that can't be had in 5 seconds is an error, which answers 503. */
export function openPostgres(databaseUrl: string): { db: Db; migrate: Kysely<Tables> } {
  const kysely = openPool(databaseUrl, { max: CONNECTIONS, ...LIMITS });
  const patient = openPool(databaseUrl, { max: 4, ...PATIENT_LIMITS });
  return {
    migrate: patient,
    db: {
      engine: 'postgres',
      read: kysely,
      revision: () => null,
      write: (work) => writeAgain(kysely, work),
      snapshot: (work) =>
        patient.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
      close: async () => {
        await Promise.all([kysely.destroy(), patient.destroy()]);
      },
    },
  };
}

/** A pool that connects when it is first used. */
function openPool(databaseUrl: string, limits: pg.PoolConfig): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    ...KEEPALIVE,
    ...limits,
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
  pool.on('connect', (client) => {
    // So would one that is lost while it is lent out: whoever asked by it is told by the query itself.
    client.on('error', () => undefined);
    endWhenUseless(client as pg.Client);
  });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/**
 * Ends a connection that no longer answers, or that takes no writes, so that the pool opens another. The library would
 * lend it out again, with the unanswered query still before all others.
 */
function endWhenUseless(client: pg.Client): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const result = query(...args);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      if (isReadTimeout(error) || isReadOnly(error)) void client.end();
      throw error;
    });
  }) as typeof client.query;
}

/**
 * One transaction, run again where PostgreSQL is certain to have rolled it back: after a deadlock or a serialization
 * failure, and after a lost connection as long as COMMIT was not sent. So `work` may run several times.
 */
async function writeAgain<T>(kysely: Kysely<Tables>, work: (tx: Writer) => Promise<T>): Promise<T> {
  for (let run = 1; ; run += 1) {
    let isCommitting = false;
    let failure: unknown;
    try {
      return await kysely.transaction().execute(async (tx) => {
        try {
          const result = await work(tx);
          isCommitting = true;
          return result;
        } catch (error) {
          failure = error;
          throw error;
        }
      });
    } catch (error) {
      // A rollback on a lost connection fails too, and would hide why.
      const cause = failure ?? error;
      const isUndone = isConflict(cause) || (!isCommitting && isLostConnection(cause));
      if (!isUndone || run === RUNS) throw cause;
      await wait(run * PAUSE_MS + Math.random() * PAUSE_MS);
    }
  }
}
