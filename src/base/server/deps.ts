import type { FastifyBaseLogger } from 'fastify';
import type { Change } from '../change.ts';
import type { CoupleId } from '../ids.ts';
import type { Config } from './config.ts';
import type { Db, Writer } from './db/db.ts';
import type { Files } from './files/files.ts';
import type { Live } from './live.ts';

/** The dependencies of every slice's server code. */
export interface Deps {
  readonly config: Config;
  readonly db: Db;
  readonly files: Files;
  readonly live: Live;
  /** The only clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Called at each step of saving a photo, with its name, so that tests can end the process there. */
  readonly step: (name: string) => void;
  /** Prints a message for the operator to standard output. */
  readonly print: (text: string) => void;
  /** How many couples an IP address may register in 15 minutes; more in tests. */
  readonly registrations: number;
  /** Allows push services on this machine (tests). */
  readonly localPush?: boolean;
  readonly log: FastifyBaseLogger;
  /**
   * Announces a change inside its transaction: both partners' open apps are notified if and only if it commits. Call it
   * once per change, last in the transaction.
   */
  readonly announce: (tx: Writer, coupleId: CoupleId, change: Change) => Promise<void>;
}
