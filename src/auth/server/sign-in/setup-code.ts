import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../../base/server/config.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { MINUTE } from '../../../base/time.ts';
import { hashOfSecret } from '../secrets.ts';
import { hasUsers } from '../store.ts';

/** How soon a node prints a code that has become needed without a request to this node. */
const LOOK_EVERY = MINUTE;
/** One row for all nodes. */
const ID = 'setup';
/** Without the letters that look like digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The code that the first registration needs where anybody in the network could be faster (contract 2). */
export interface SetupCode {
  /** Whether the next registration needs the code. If so, this node has printed it when the promise is fulfilled. */
  isNeeded(): Promise<boolean>;
  /** The same, for work that must not fail because of it: an error is logged. */
  print(): Promise<void>;
  /** Whether this is the code, typed with or without its hyphens, in either case. */
  isRight(raw: unknown): Promise<boolean>;
  /**
   * Uses the code up, in the transaction of a registration.
   * @returns false where it is needed and this is not it
   */
  use(tx: Writer, raw: unknown): Promise<boolean>;
  /** Stops looking whether a code has to be printed. */
  stop(): void;
}

/**
 * The database keeps the hash of the code, by which it is checked, and the seed of which each node derives it to print
 * it: so all nodes print the same one. It is deleted when it is used, and the next first registration has another.
 */
export function openSetupCode(deps: Pick<Deps, 'config' | 'db' | 'now' | 'log' | 'print'>): SetupCode {
  const { config, db, now, log } = deps;
  let printed: string | null = null;

  const isNeededBy = async (reader: Reader) =>
    config.registration !== 'closed' && isReachable(config) && !(await hasUsers(reader));
  const isNeeded = async () => {
    if (!(await isNeededBy(db.read))) return false;
    const seed = (await readSeed(db.read)) ?? (await db.write((tx) => makeSeed(tx, now())));
    if (seed !== printed) deps.print(`Setup code: ${codeOf(seed)}\n`);
    printed = seed;
    return true;
  };
  const print = () =>
    isNeeded().then(
      () => undefined,
      (error: unknown) => log.error({ err: error }, 'the setup code could not be printed'),
    );
  const timer = setInterval(() => void print(), LOOK_EVERY);
  timer.unref();
  return {
    isNeeded,
    print,
    isRight: (raw) => matches(db.read, raw),
    use: async (tx, raw) => {
      if (!(await isNeededBy(tx))) return true;
      if (!(await matches(tx, raw))) return false;
      await tx.deleteFrom('setupCodes').where('id', '=', ID).execute();
      return true;
    },
    stop: () => clearInterval(timer),
  };
}

/** Whether the server can be reached from beyond this machine: directly, through a proxy, or by a public address. */
export function isReachable({
  host,
  trustProxy,
  publicUrl,
}: Pick<Config, 'host' | 'trustProxy' | 'publicUrl'>): boolean {
  return !isLoopback(host) || trustProxy > 0 || (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname));
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** 80 bits in groups of four. */
function codeOf(seed: string): string {
  const letters = [...Buffer.from(hashOfSecret(`setup code ${seed}`), 'hex')].slice(0, 16);
  return letters
    .map((byte) => LETTERS.charAt(byte % LETTERS.length))
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-');
}

/** The hash of a code however it is typed. */
function hashOfCode(code: string): string {
  return hashOfSecret(code.replace(/[\s-]/g, '').toUpperCase());
}

async function readSeed(reader: Reader): Promise<string | undefined> {
  const row = await reader.selectFrom('setupCodes').select('seed').where('id', '=', ID).executeTakeFirst();
  return row?.seed;
}

/** Of several nodes that make one at once, the first one's counts. */
async function makeSeed(tx: Writer, createdAt: number): Promise<string> {
  const seed = randomBytes(32).toString('hex');
  await tx
    .insertInto('setupCodes')
    .values({ id: ID, seed, codeHash: hashOfCode(codeOf(seed)), createdAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return (await readSeed(tx)) ?? seed;
}

async function matches(reader: Reader, raw: unknown): Promise<boolean> {
  const row = await reader.selectFrom('setupCodes').select('codeHash').where('id', '=', ID).executeTakeFirst();
  if (typeof raw !== 'string' || row === undefined) return false;
  return timingSafeEqual(Buffer.from(hashOfCode(raw), 'hex'), Buffer.from(row.codeHash, 'hex'));
}
