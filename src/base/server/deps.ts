import type { FastifyBaseLogger } from 'fastify';
import type { Db } from './db/db.ts';
import type { Files } from './files/files.ts';
import type { Announce, Live } from './live/live.ts';
import type { Config } from './process/config.ts';

/** What it costs to hash a password, and so to guess one: KiB of memory, passes over it, and threads. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** The dependencies of every slice's server code. */
export interface Deps {
  readonly config: Config;
  readonly db: Db;
  /** Random, and the same on all nodes: tells this album from others on the same host. */
  readonly databaseId: string;
  readonly files: Files;
  readonly live: Live;
  /** The only clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Called at each step of saving a photo, with its name, so that tests can end the process there. */
  readonly crashPoint: (name: string) => void;
  /** Prints a message for the operator to standard output. */
  readonly print: (text: string) => void;
  /** Returns a random integer from 0 to below `limit`, each equally likely; tests set it. */
  readonly randomInt: (limit: number) => number;
  /** How many couples an IP address may register in 15 minutes; more in tests. */
  readonly registrations: number;
  /** The cost of new passwords' hashes; less in tests. */
  readonly passwordCost: PasswordCost;
  /** Allows push services on this machine (tests). */
  readonly localPush?: boolean;
  readonly log: FastifyBaseLogger;
  /**
   * Announces a change inside its transaction: both partners' open apps are notified if and only if it commits. Call it
   * once per change, last in the transaction, but before it deletes the couple. What only one partner may know is
   * announced to that partner `only`.
   */
  readonly announce: Announce;
}
