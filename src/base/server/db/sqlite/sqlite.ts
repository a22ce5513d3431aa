import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { Db } from '../db.ts';
import type { Tables } from '../tables/tables.ts';
import { ImmediateDialect, PlannedOnceDialect } from './dialects.ts';
import { shareCommits } from './share-commits.ts';

export const DATABASE_FILE = 'our-love-story.db';

/** Older versions can lose commits if a checkpoint races with a writer and resets the log too early. */
const MIN_VERSION = [3, 51, 3] as const;

/**
 * How long a connection waits inside SQLite for another process, in milliseconds. That blocks the event loop, so a
 * transaction waits for the write lock outside of SQLite. Reads never wait for that lock.
 */
const BLOCKING_MS = 250;

/** Opens or creates the database file in a folder, with one connection for writes and one for reads. */
export function openSqlite(dataDir: string): { db: Db; migrate: Kysely<Tables> } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, DATABASE_FILE);
  const writing = connect(file);
  // Each transaction begins with the lock, and waits for it in `beginTransaction`.
  writing.pragma('busy_timeout = 0');
  const reading = connect(file, { queryOnly: true });
  const writer = new Kysely<Tables>({ dialect: new ImmediateDialect(writing, reading) });
  const reader = new Kysely<Tables>({ dialect: new PlannedOnceDialect({ database: reading }) });
  // `data_version` counts the commits of other connections, and this one makes none.
  const revision = reading.prepare('pragma data_version').pluck();

  const db: Db = {
    engine: 'sqlite',
    read: reader,
    revision: () => revision.get() as number,
    write: shareCommits({
      kysely: writer,
      inTransaction: () => writing.inTransaction,
      inTurn: (work) => runInTurn(file, work),
    }),
    snapshot: async (work) => {
      const snapshot = new Kysely<Tables>({
        dialect: new PlannedOnceDialect({ database: connect(file, { queryOnly: true }) }),
      });
      try {
        return await snapshot.transaction().execute(work);
      } finally {
        await snapshot.destroy();
      }
    },
    close: async () => {
      await turns.get(file);
      await reader.destroy();
      await writer.destroy();
    },
  };
  return { db, migrate: writer };
}

/**
 * Opens an empty database for one piece of work. SQLite keeps it in a file without a name, so nothing is left of it once it
 * is closed or the process ends, however it ends.
 */
export function openTemporarySqlite(): Kysely<Tables> {
  const connection = cacheStatements(new BetterSqlite3(''));
  return new Kysely<Tables>({ dialect: new ImmediateDialect(connection, connection) });
}

/** The last queued group of transactions of each file. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs a file's groups of transactions one after another, even if one fails. A connection can hold only one, and two connections of
 * one process that wait for each other inside SQLite would block the process until the busy timeout.
 */
function runInTurn<T>(file: string, transaction: () => Promise<T>): Promise<T> {
  const current = (turns.get(file) ?? Promise.resolve()).then(transaction);
  const settled = current
    .catch(() => undefined)
    .then(() => {
      if (turns.get(file) === settled) turns.delete(file);
    });
  turns.set(file, settled);
  return current;
}

function connect(file: string, { queryOnly = false } = {}): BetterSqlite3.Database {
  const connection = new BetterSqlite3(file);
  assertSafeVersion(connection);
  // Set on every connection: the library opens a WAL database with NORMAL, which can lose commits in a power cut.
  const pragmas: [pragma: string, expected: string | number][] = [
    ['journal_mode = WAL', 'wal'],
    ['synchronous = FULL', 2],
    ['foreign_keys = ON', 1],
    [`busy_timeout = ${BLOCKING_MS}`, BLOCKING_MS],
  ];
  if (queryOnly) pragmas.push(['query_only = ON', 1]);
  for (const [pragma, expected] of pragmas) {
    connection.pragma(pragma);
    const name = pragma.slice(0, pragma.indexOf(' '));
    const actual = connection.pragma(name, { simple: true });
    if (actual !== expected) throw new Error(`SQLite ignored ${pragma}: the value is ${String(actual)}`);
  }
  return cacheStatements(connection);
}

function assertSafeVersion(connection: BetterSqlite3.Database): void {
  const version = String(connection.prepare('select sqlite_version()').pluck().get());
  const parts = version.split('.').map(Number);
  const difference = MIN_VERSION.map((oldest, i) => (parts[i] ?? 0) - oldest).find((d) => d !== 0) ?? 0;
  if (difference < 0)
    throw new Error(`SQLite ${version} can lose commits; ${MIN_VERSION.join('.')} or newer is required`);
}

/** Caches prepared statements. Kysely prepares each one again, which costs more than running it. */
function cacheStatements(connection: BetterSqlite3.Database): BetterSqlite3.Database {
  const statements = new Map<string, BetterSqlite3.Statement>();
  const prepare = connection.prepare.bind(connection) as (source: string) => BetterSqlite3.Statement;
  connection.prepare = ((source: string) => {
    const known = statements.get(source);
    if (known && !known.busy) return known;
    const statement = prepare(source);
    if (statements.size < 500) statements.set(source, statement);
    return statement;
  }) as typeof connection.prepare;
  return connection;
}
