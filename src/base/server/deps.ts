import type { FastifyBaseLogger } from 'fastify';
import type { Change } from '../change.ts';
import type { CoupleId } from '../ids.ts';
import type { Config } from './config.ts';
import type { Db, Writer } from './db/db.ts';
import type { Files } from './files/files.ts';
import type { Live } from './live.ts';

/** What every slice's server side works with. */
export interface Deps {
  readonly config: Config;
  readonly db: Db;
  readonly files: Files;
  readonly live: Live;
  /** Milliseconds since 1970: the only clock. */
  readonly now: () => number;
  /** Told at each step of keeping a photograph, by its name; does nothing but where a test ends the process there. */
  readonly step: (name: string) => void;
  /** Writes a text for whoever runs the server to standard output. */
  readonly print: (text: string) => void;
  /** How many couples an address may register in 15 minutes; more in tests. */
  readonly registrations: number;
  /** A push service on this machine may be told too: in tests. */
  readonly localPush?: boolean;
  readonly log: FastifyBaseLogger;
  /**
   * Announces a change inside the transaction that makes it: both partners' open apps are told if and only if it
   * commits. Call it once per change, last in the transaction.
   */
  readonly announce: (tx: Writer, coupleId: CoupleId, change: Change) => Promise<void>;
}
