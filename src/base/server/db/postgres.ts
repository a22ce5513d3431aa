import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db, Writer } from './db.ts';
import { isConflict, isLostConnection, isReadOnly, isReadTimeout } from './faults.ts';
import type { Tables } from './tables/tables.ts';

const INT8 = 20;
const CONNECTIONS = 10;

/** Lets the system detect a dead peer on an idle connection. */
export const KEEPALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * Timeouts for a request's queries, in milliseconds. PostgreSQL cancels slow statements and idle transactions (of a node
 * that was stopped or died), so that others don't wait for their locks. The client times out a little later, in case the
 * server no longer responds. `DATABASE_URL` can override them: `?statement_timeout=30000`.
 */
const REQUEST_TIMEOUTS = {
  statement_timeout: 10_000,
  query_timeout: 12_000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

/** Migrations and snapshots read whole tables, and wait for a backup's disk. */
const LONG_TIMEOUTS = { statement_timeout: 600_000, query_timeout: 610_000 } as const;

/**
 * How long a migration waits for a lock. Requests queue behind it for as long, and it may be a backup that holds the lock
 * for minutes; so the migration gives up, and is tried again (`migrateTo`).
 */
const MIGRATION_LOCK_TIMEOUT_MS = 500;

/** Attempts per transaction, and the base of the backoff between them. */
const MAX_ATTEMPTS = 4;
const BACKOFF_MS = 50;

/**
 * Opens PostgreSQL. If no connection is available within 5 seconds, a query fails, and the request with it (503).
 * @param databaseUrl for transactions of requests; a pooler may give each a different connection
 * @param directUrl for migrations, whose lock outlives a transaction, and for snapshots, which would keep a pooler's
 *   connection for minutes
 */
export function openPostgres(databaseUrl: string, directUrl: string): { db: Db; migrate: Kysely<Tables> } {
  const kysely = openPool(databaseUrl, { max: CONNECTIONS, ...REQUEST_TIMEOUTS });
  const longRunning = openPool(directUrl, { max: 4, ...LONG_TIMEOUTS });
  const migrate = openPool(directUrl, { max: 2, ...LONG_TIMEOUTS, lock_timeout: MIGRATION_LOCK_TIMEOUT_MS });
  return {
    migrate,
    db: {
      engine: 'postgres',
      read: kysely,
      revision: () => null,
      write: (work) => writeWithRetry(kysely, work),
      snapshot: (work) =>
        longRunning.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
      close: async () => {
        await Promise.all([kysely.destroy(), longRunning.destroy(), migrate.destroy()]);
      },
    },
  };
}

/** Creates a pool, which connects on first use. */
function openPool(databaseUrl: string, options: pg.PoolConfig): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    ...KEEPALIVE,
    ...options,
    // The largest numbers are sizes and instants in milliseconds, far below 2^53.
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
        const usual = pg.types.getTypeParser(oid, format as 'text') as (raw: string) => unknown;
        return oid === INT8 ? Number : usual;
      }) as typeof pg.types.getTypeParser,
    },
  });
  // The pool replaces a connection that is lost while idle. Without a listener, the error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    // The same for a connection in use; its query rejects by itself.
    client.on('error', () => undefined);
    endWhenUnusable(client as pg.Client);
  });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/**
 * Closes a connection that no longer responds or that rejects writes, so that the pool opens a new one. The library would
 * reuse it, with the unanswered query still ahead of all others.
 */
function endWhenUnusable(client: pg.Client): void {
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
 * Runs a transaction, and retries it if PostgreSQL has certainly rolled it back: after a deadlock or a serialization
 * failure, or after a lost connection if COMMIT wasn't sent. So `work` may run several times.
 */
async function writeWithRetry<T>(kysely: Kysely<Tables>, work: (tx: Writer) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
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
      // The rollback on a lost connection fails too. Throw the original error.
      const cause = failure ?? error;
      const isRolledBack = isConflict(cause) || (!isCommitting && isLostConnection(cause));
      if (!isRolledBack || attempt === MAX_ATTEMPTS) throw cause;
      await wait(attempt * BACKOFF_MS + Math.random() * BACKOFF_MS);
    }
  }
}
