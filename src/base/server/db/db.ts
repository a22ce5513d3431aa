import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Where a query may run: by itself, or inside a transaction. */
export type Reader = Kysely<Tables>;
export type Writer = Transaction<Tables>;

export interface Db {
  readonly engine: 'sqlite' | 'postgres';
  /** Reads: on SQLite a connection of their own, so that none waits behind an open transaction. */
  readonly read: Reader;
  /**
   * A number that is another one after every commit, whoever made it: what was read while it stays the same is still
   * so. Null where the engine can't tell without a question of its own.
   */
  revision(): number | null;
  /** One transaction. It is over, and on the disk, when the promise is fulfilled; a throw rolls it back. */
  write<T>(work: (tx: Writer) => Promise<T>): Promise<T>;
  /** Reads everything as it is at one moment, while others go on writing; on a connection of its own. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
