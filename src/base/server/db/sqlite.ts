import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { DatabaseConnection } from 'kysely';
import { CompiledQuery, Kysely, SqliteDialect, SqliteDriver } from 'kysely';
import { runAfterCommit } from './after-commit.ts';
import type { Db } from './db.ts';
import type { Tables } from './tables.ts';

export const DATABASE_FILE = 'our-love-story.db';

/** From here on a checkpoint that races with a writer can no longer reset the log too early and lose commits. */
const OLDEST_SAFE = [3, 51, 3] as const;

/** Opens, or makes, the database file in a folder: one connection that writes, one that reads. */
export function openSqlite(dataDir: string): { db: Db; migrate: Kysely<Tables> } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, DATABASE_FILE);
  const writer = new Kysely<Tables>({ dialect: new ImmediateDialect(connect(file)) });
  const reading = connect(file, { queryOnly: true });
  const reader = new Kysely<Tables>({ dialect: new SqliteDialect({ database: reading }) });
  // It counts the commits of other connections, and this one makes none.
  const revision = reading.prepare('pragma data_version').pluck();

  const db: Db = {
    engine: 'sqlite',
    read: reader,
    revision: () => revision.get() as number,
    write: (work) => inTurn(file, () => runAfterCommit((run) => writer.transaction().execute(run), work)),
    snapshot: async (work) => {
      const looking = new Kysely<Tables>({
        dialect: new SqliteDialect({ database: connect(file, { queryOnly: true }) }),
      });
      try {
        return await looking.transaction().execute(work);
      } finally {
        await looking.destroy();
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

/** The last transaction asked for, by file. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs one transaction of a file after the other, whatever became of the last. A connection holds one at a time; and two
 * connections of this process that wait for each other inside SQLite would block the process until the wait is over.
 */
function inTurn<T>(file: string, transaction: () => Promise<T>): Promise<T> {
  const mine = (turns.get(file) ?? Promise.resolve()).then(transaction);
  const over = mine
    .catch(() => undefined)
    .then(() => {
      if (turns.get(file) === over) turns.delete(file);
    });
  turns.set(file, over);
  return mine;
}

function connect(file: string, { queryOnly = false } = {}): BetterSqlite3.Database {
  const connection = new BetterSqlite3(file);
  assertSafeVersion(connection);
  // Set on every connection, for the library opens a WAL database at NORMAL, which loses commits in a power cut.
  for (const [pragma, expected] of [
    ['journal_mode = WAL', 'wal'],
    ['synchronous = FULL', 2],
    ['foreign_keys = ON', 1],
    ['busy_timeout = 5000', 5000],
    ...(queryOnly ? ([['query_only = ON', 1]] as const) : []),
  ] as const) {
    connection.pragma(pragma);
    const name = pragma.slice(0, pragma.indexOf(' '));
    const actual = connection.pragma(name, { simple: true });
    if (actual !== expected) throw new Error(`SQLite did not take ${pragma}: it is ${String(actual)}`);
  }
  return remembering(connection);
}

function assertSafeVersion(connection: BetterSqlite3.Database): void {
  const version = String(connection.prepare('select sqlite_version()').pluck().get());
  const parts = version.split('.').map(Number);
  const difference = OLDEST_SAFE.map((oldest, i) => (parts[i] ?? 0) - oldest).find((d) => d !== 0) ?? 0;
  if (difference < 0)
    throw new Error(`SQLite ${version} can lose commits; ${OLDEST_SAFE.join('.')} or newer is needed`);
}

/** Kysely prepares each statement anew; there are few, and preparing costs more than running. */
function remembering(connection: BetterSqlite3.Database): BetterSqlite3.Database {
  const statements = new Map<string, BetterSqlite3.Statement>();
  const prepare = connection.prepare.bind(connection) as (source: string) => BetterSqlite3.Statement;
  connection.prepare = ((source: string) => {
    const known = statements.get(source);
    if (known && !known.busy) return known;
    const made = prepare(source);
    if (statements.size < 500) statements.set(source, made);
    return made;
  }) as typeof connection.prepare;
  return connection;
}

/** A transaction that takes the write lock when it begins can't be told halfway that somebody else was quicker. */
class ImmediateDialect extends SqliteDialect {
  readonly #database: BetterSqlite3.Database;

  constructor(database: BetterSqlite3.Database) {
    super({ database });
    this.#database = database;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#database);
  }
}

class ImmediateDriver extends SqliteDriver {
  readonly #database: BetterSqlite3.Database;

  constructor(database: BetterSqlite3.Database) {
    super({ database });
    this.#database = database;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** On a full disk SQLite has rolled back by itself, and would refuse to again; what is told is the full disk. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}
