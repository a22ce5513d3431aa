import { randomBytes, timingSafeEqual } from 'node:crypto';
import { isLoopback } from '../../../base/loopback.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { readOrCreate } from '../../../base/server/db/read-or-create.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { Config } from '../../../base/server/process/config.ts';
import { hashOfSecret } from '../secrets.ts';
import { hasUsers } from '../user-store.ts';

/** The id of the one row, shared by all nodes. */
const ID = 'setup';
/** Base 32 without the letters that look like digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The code that the first registration needs if the server can be reached from the network (accounts.registering.2). */
export interface SetupCode {
  /**
   * Whether a registration at this host name needs the code. If so, this node has printed it when the promise resolves. A
   * name that isn't this machine's may be a stranger's that leads here, also to a server that only this machine reaches
   * (DNS rebinding): then the owner's browser takes the stranger's page for one of ours.
   */
  isNeeded(hostname: string): Promise<boolean>;
  /** Prints the code, once, if it is needed at every name. Logs errors instead of throwing. */
  print(): Promise<void>;
  /** Whether this is the hash of the code. */
  isRight(codeHash: string | null): Promise<boolean>;
  /**
   * Consumes the code with this hash in the transaction of a registration at this host name.
   * @returns false if a code is needed and this is not it
   */
  use(tx: Writer, codeHash: string | null, hostname: string): Promise<boolean>;
}

/**
 * Opens the setup code. The database stores the code's hash, and the seed from which each node derives the code, so all
 * nodes print the same one. It is deleted when used; the next first registration gets a new one.
 */
export function openSetupCode(deps: Pick<Deps, 'config' | 'db' | 'now' | 'log' | 'print'>): SetupCode {
  const { config, db, now, log } = deps;
  let printed: string | null = null;

  const isNeededBy = async (reader: Reader, hostname: string) =>
    config.registration !== 'closed' && (isReachable(config) || !isLoopback(hostname)) && !(await hasUsers(reader));
  const isNeeded = async (hostname: string) => {
    if (!(await isNeededBy(db.read, hostname))) return false;
    const seed = await readOrCreate(db, readSeed, (tx) => createSeed(tx, now()));
    if (seed !== printed) deps.print(`Setup code: ${codeOf(seed)}\n`);
    printed = seed;
    return true;
  };
  const print = () =>
    isNeeded('localhost').then(
      () => undefined,
      (error: unknown) => log.error({ err: error }, 'the setup code could not be printed'),
    );
  return {
    isNeeded,
    print,
    isRight: (codeHash) => matches(db.read, codeHash),
    use: async (tx, codeHash, hostname) => {
      if (!(await isNeededBy(tx, hostname))) return true;
      if (!(await matches(tx, codeHash))) return false;
      await tx.deleteFrom('setupCodes').where('id', '=', ID).execute();
      return true;
    },
  };
}

/** Whether the server can be reached from other machines: directly, through a proxy, or at a public address. */
function isReachable({ host, trustProxy, publicUrl }: Pick<Config, 'host' | 'trustProxy' | 'publicUrl'>): boolean {
  return !isLoopback(host) || trustProxy > 0 || (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname));
}

/** Formats 80 bits as 16 characters in groups of four. */
function codeOf(seed: string): string {
  const letters = [...Buffer.from(hashOfSecret(`setup code ${seed}`), 'hex')].slice(0, 16);
  return letters
    .map((byte) => LETTERS.charAt(byte % LETTERS.length))
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-');
}

/** Hashes a code, ignoring case, spaces and hyphens. */
function hashOfCode(code: string): string {
  return hashOfSecret(code.replace(/[\s-]/g, '').toUpperCase());
}

async function readSeed(reader: Reader): Promise<string | undefined> {
  const row = await reader.selectFrom('setupCodes').select('seed').where('id', '=', ID).executeTakeFirst();
  return row?.seed;
}

async function createSeed(tx: Writer, createdAt: number): Promise<void> {
  const seed = randomBytes(32).toString('hex');
  await tx
    .insertInto('setupCodes')
    .values({ id: ID, seed, codeHash: hashOfCode(codeOf(seed)), createdAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Hashes a code as it was typed; null if there is none. Hyphens and case don't matter. */
export function hashOfSetupCode(raw: unknown): string | null {
  return typeof raw === 'string' ? hashOfCode(raw) : null;
}

async function matches(reader: Reader, codeHash: string | null): Promise<boolean> {
  const row = await reader.selectFrom('setupCodes').select('codeHash').where('id', '=', ID).executeTakeFirst();
  if (codeHash === null || row === undefined) return false;
  return timingSafeEqual(Buffer.from(codeHash, 'hex'), Buffer.from(row.codeHash, 'hex'));
}
