import { hash as digest } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { Refusal } from '../../../base/refusal.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { HOUR } from '../../../base/time.ts';
import { authLimits, takeTry } from '../../rules.ts';
import { inTurn } from './passwords.ts';
import { forgetTries, lockTries, readTries, saveTries } from './rate-limit-store.ts';

/** Who guesses, as far as it is known. */
export interface Guesser {
  /** The address of the request; the neighbours of an IPv6 one are the same household. */
  readonly address: string;
  /** Whose secret it is: the e-mail as it is compared, whether or not somebody has it. */
  readonly account?: string;
  /** The session of a device on which this very account is signed in. */
  readonly device?: string | undefined;
}

/** Counts failures to guess a secret, for all nodes and all ways to sign in (contract 2, Tries). */
export interface Tries {
  /**
   * Runs a guess. Null is a failure, which is counted and thrown as `wrong`; anything else is a success, which clears
   * the account's count. The try is taken before the guess, so that of many at once no more pass than one by one.
   * @throws Refusal 429 after 10 failures in 15 minutes; a device that is signed in learns that only by failing again
   */
  guess<T>(guesser: Guesser, check: () => Promise<T | null>, wrong: Refusal): Promise<T>;
  /**
   * Counts a public call that writes, by its address.
   * @throws Refusal 429 after `limit` of them in 15 minutes
   */
  count(call: string, address: string, limit: number): Promise<void>;
  /** Forgets the failures of an account, whose password has been set anew. */
  clear(account: string): Promise<void>;
}

/**
 * Over our own table and connections: the library for this would need a connection beside them on SQLite, whose
 * statements would then fall into whatever transaction is open, and another text for each engine.
 */
export function openTries({ db, now }: Pick<Deps, 'db' | 'now'>): Tries {
  let forgottenAt = 0;

  const forget = async (at: number) => {
    if (at < forgottenAt + HOUR) return;
    forgottenAt = at;
    await db.write((tx) => forgetTries(tx, at - HOUR));
  };

  return {
    guess: async (guesser, check, wrong) => {
      const keys = keysOf(guesser);
      const device = guesser.device === undefined ? null : `device ${guesser.device}`;
      if (device === null) {
        for (const key of keys) refuseWait(wait(await readTries(db.read, key), now()));
      }
      return inTurn(async () => {
        const at = now();
        await forget(at);
        if (device !== null) refuseWait(await db.write((tx) => take(tx, [device], at, authLimits.deviceTries)));
        const waits = await db.write((tx) => take(tx, keys, at));
        if (device === null) refuseWait(waits);
        const found = await check();
        if (found === null) {
          refuseWait(waits);
          throw wrong;
        }
        await db.write(async (tx) => {
          if (guesser.account !== undefined) await saveTries(tx, accountKey(guesser.account), []);
          if (waits === 0) await giveBack(tx, placeKey(guesser.address), at);
          if (device !== null) await saveTries(tx, device, []);
        });
        return found;
      });
    },
    count: async (call, address, limit) => {
      const key = `${call} ${household(address)}`;
      const at = now();
      await forget(at);
      // Whoever is over the limit causes no write.
      refuseWait(wait(await readTries(db.read, key), at, limit));
      refuseWait(await db.write((tx) => take(tx, [key], at, limit)));
    },
    clear: (account) => db.write((tx) => saveTries(tx, accountKey(account), [])),
  };
}

/** In one order, in which they are locked. An account is kept as a hash: a table of tries is no list of e-mails. */
function keysOf({ account, address }: Guesser): readonly string[] {
  return account === undefined ? [placeKey(address)] : [accountKey(account), placeKey(address)];
}

function placeKey(address: string): string {
  return `address ${household(address)}`;
}

function accountKey(account: string): string {
  return `account ${digest('sha256', account, 'hex')}`;
}

/** An IPv4 address; of an IPv6 one the first 64 bits, which are what one household is given. */
export function household(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const parts = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = tail === undefined ? 0 : 8 - parts(head).length - parts(tail).length;
  const all = [...parts(head), ...Array<string>(Math.max(0, missing)).fill('0'), ...parts(tail ?? '')];
  return all
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':');
}

function wait(times: readonly number[], at: number, limit?: number): number {
  return takeTry(times, at, limit).wait;
}

/** Takes a try from each key, or from none where one has no more; answers how many milliseconds that one has to wait. */
async function take(tx: Writer, keys: readonly string[], at: number, limit?: number): Promise<number> {
  const taken: [string, readonly number[]][] = [];
  let longest = 0;
  for (const key of keys) {
    const next = takeTry(await lockTries(tx, key), at, limit);
    if (next.times === null) longest = Math.max(longest, next.wait);
    else taken.push([key, next.times]);
  }
  if (longest === 0) for (const [key, times] of taken) await saveTries(tx, key, times);
  return longest;
}

/** After a success: an address keeps its other failures, and only this try was none. */
async function giveBack(tx: Writer, key: string, at: number): Promise<void> {
  const times = await lockTries(tx, key);
  const index = times.lastIndexOf(at);
  await saveTries(tx, key, index === -1 ? times : times.toSpliced(index, 1));
}

function refuseWait(milliseconds: number): void {
  if (milliseconds === 0) return;
  throw new Refusal(429, 'Too many tries. Please wait a little, then try again.', {
    retryAfter: Math.ceil(milliseconds / 1000),
  });
}
