import pg from 'pg';
import { expect } from 'vitest';
import type { TestStorage } from './test-storage.ts';

/** A test's connection to the server's PostgreSQL database, to lock rows, observe, and inject faults. */
export interface CompetingConnection {
  query(text: string, values?: unknown[]): Promise<pg.QueryResult<Record<string, unknown>>>;
  /** Waits until at least `count` statements of other connections wait for a lock. */
  waitUntilBlocked(count?: number): Promise<void>;
  /** Terminates the LISTEN connection of the node that started first. */
  terminateListener(): Promise<void>;
  /** Terminates all connections of the nodes. */
  terminateAll(): Promise<void>;
  /** Runs `body` (PL/pgSQL) before each of the first `times` inserts into a table, counting rolled back ones too. */
  runBeforeInserts(table: string, body: string, times: number): Promise<void>;
  /** Makes each commit that inserts into a table wait, after COMMIT was sent, until `releaseCommits`. */
  holdCommits(table: string): Promise<void>;
  releaseCommits(): Promise<void>;
  close(): Promise<void>;
}

/** The condition for the nodes' listening connections in `pg_stat_activity`. */
export const IS_LISTENING = `query ~ '^(un)?listen '`;

/** The key of the advisory lock for which commits wait. */
const HELD_COMMITS = 7;

export async function openCompetingConnection({ env }: TestStorage): Promise<CompetingConnection> {
  const config = { connectionString: env.DATABASE_URL, application_name: 'rival' };
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  // A second connection observes while the first holds a lock.
  const observer = new pg.Client(config);
  observer.on('error', () => undefined);
  await Promise.all([client.connect(), observer.connect()]);
  const query: CompetingConnection['query'] = (text, values = []) => client.query(text, values);
  return {
    query,
    waitUntilBlocked: async (count = 1) => {
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      const blocked = async () => (await observer.query(waiting)).rowCount;
      await expect.poll(blocked, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
    },
    terminateListener: async () => {
      const first = `select pid from pg_stat_activity where datname = current_database()
        and ${IS_LISTENING} order by backend_start limit 1`;
      const { rows } = await observer.query<{ pid: number }>(first);
      expect(rows).toHaveLength(1);
      // Waits until it is closed.
      await observer.query('select pg_terminate_backend($1, 10000)', [rows[0]?.pid]);
    },
    terminateAll: async () => {
      await observer.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where datname = current_database() and application_name <> 'rival'`);
    },
    runBeforeInserts: async (table, body, times) => {
      // A sequence keeps its value when the transaction rolls back.
      await query('create sequence disturbed');
      await query(`create function disturb() returns trigger language plpgsql as $$ begin
        if nextval('disturbed') <= ${times} then ${body} end if; return new; end $$`);
      await query(`create trigger disturb before insert on "${table}" for each row execute function disturb()`);
    },
    holdCommits: async (table) => {
      await query(`create function hold() returns trigger language plpgsql as $$ begin
        perform pg_advisory_xact_lock(${HELD_COMMITS}); return null; end $$`);
      await query(`create constraint trigger hold after insert on "${table}" deferrable initially deferred
        for each row execute function hold()`);
      await query(`select pg_advisory_lock(${HELD_COMMITS})`);
    },
    releaseCommits: async () => {
      await query(`select pg_advisory_unlock(${HELD_COMMITS})`);
    },
    close: async () => {
      await Promise.all([client.end(), observer.end()]);
    },
  };
}
