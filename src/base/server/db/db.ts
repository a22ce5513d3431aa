import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** Runs queries, either in a transaction or on their own. */
export type Reader = Kysely<Tables>;
export type Writer = Transaction<Tables>;

export interface Db {
  readonly engine: 'sqlite' | 'postgres';
  /** For reads. SQLite uses a separate connection, so that reads don't wait for an open transaction. */
  readonly read: Reader;
  /**
   * A number that changes with every commit of any connection. As long as it is the same, cached reads are current.
   * Null if the engine can't tell without a query (PostgreSQL).
   */
  revision(): number | null;
  /**
   * Runs a transaction, sometimes more than once (decision 47). The promise resolves once it is on disk; an error in `work`
   * rolls it back.
   */
  write<T>(work: (tx: Writer) => Promise<T>): Promise<T>;
  /** Runs reads on one consistent snapshot, on a connection of their own, while others keep writing. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
