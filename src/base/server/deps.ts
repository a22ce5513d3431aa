import type { FastifyBaseLogger } from 'fastify';
import type { Change } from '../change.ts';
import type { CoupleId } from '../ids.ts';
import type { Config } from './config.ts';
import type { Db } from './db/db.ts';
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
  /** A push service on this machine may be told too: in tests. */
  readonly localPush?: boolean;
  readonly log: FastifyBaseLogger;
  /** Tells both partners' open apps, after the commit. */
  readonly announce: (coupleId: CoupleId, change: Change) => void;
}
