import { setTimeout as wait } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import type { DatabaseConnection } from 'kysely';
import { CompiledQuery, SqliteAdapter, SqliteDialect, SqliteDriver, SqliteQueryCompiler } from 'kysely';
import { isBusy, isDiskFault } from '../faults.ts';
import { cutOffWriteAheadLog } from './cut-off-write-ahead-log.ts';

/** How long a transaction waits for the write lock of another process, and how often it tries to get it, in milliseconds. */
const LOCK_WAIT_MS = 5_000;
const LOCK_RETRY_MS = 20;

/**
 * Writes each parameter as `+?`. SQLite would plan a statement with `?` again before every run, in case the value suggests
 * a better plan: better-sqlite3 clears the parameters after each run, which counts as a change. Planning costs more than
 * running most of our statements.
 */
class PlannedOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

/** Writes statements that SQLite plans once. */
export class PlannedOnceDialect extends SqliteDialect {
  override createQueryCompiler(): SqliteQueryCompiler {
    return new PlannedOnceCompiler();
  }
}

/** Starts transactions with the write lock, so that none fails halfway because another one was first. */
export class ImmediateDialect extends PlannedOnceDialect {
  readonly #database: BetterSqlite3.Database;
  readonly #reading: BetterSqlite3.Database;

  constructor(database: BetterSqlite3.Database, reading: BetterSqlite3.Database) {
    super({ database });
    this.#database = database;
    this.#reading = reading;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#database, this.#reading);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/** Lets the migrator use a transaction, which SQLite supports: after a crash the tables are the old ones or the new ones. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDriver extends SqliteDriver {
  readonly #database: BetterSqlite3.Database;
  readonly #reading: BetterSqlite3.Database;
  /** The disk failed during a commit, and what is behind the last one in the log may be lost (decision 46). */
  #mustCutOff = false;

  constructor(database: BetterSqlite3.Database, reading: BetterSqlite3.Database) {
    super({ database });
    this.#database = database;
    this.#reading = reading;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await takeWriteLock(connection);
    if (!this.#mustCutOff) return;
    try {
      cutOffWriteAheadLog(this.#reading);
      this.#mustCutOff = false;
    } catch (error) {
      await this.rollbackTransaction(connection);
      throw error;
    }
  }

  /** Cuts a failed commit off at once: if the process dies first, the next one takes it for committed. */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      await this.rollbackTransaction(connection);
      // On a full disk, the log would give away the room that it has.
      if (!isDiskFault(error)) throw error;
      this.#mustCutOff = true;
      const cutOff = this.beginTransaction(connection).then(() => this.rollbackTransaction(connection));
      // If that fails, the next transaction tries again.
      await cutOff.catch(() => undefined);
      throw error;
    }
  }

  /** On a full disk SQLite has already rolled back. A second rollback would fail and hide the first error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** Begins a transaction with the write lock. While another process holds it, the event loop goes on. */
async function takeWriteLock(connection: DatabaseConnection): Promise<void> {
  const until = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'));
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
      await wait(LOCK_RETRY_MS);
    }
  }
}
