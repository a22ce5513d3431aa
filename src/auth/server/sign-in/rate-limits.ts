import { hash as digest } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { HOUR } from '../../../base/durations.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { addAttempt } from '../../add-attempt.ts';
import { authLimits } from '../../rules.ts';
import { queueHashing } from './passwords.ts';
import { lockAttempts, readAttempts, saveAttempts } from './rate-limit-store.ts';

/** Who attempts to authenticate, as far as it is known. */
export interface SignInAttempt {
  /** The address of the request. An IPv6 address counts for its whole /64 network. */
  readonly address: string;
  /** The e-mail key of the account, whether or not it exists. */
  readonly account?: string;
  /** The session of a device on which this account is signed in. */
  readonly device?: string | undefined;
}

/** Limits failed attempts to authenticate, for all nodes and all ways to sign in. */
export interface RateLimits {
  /**
   * Runs an attempt. If `check` returns null, the failure is counted and `wrong` is thrown; otherwise the account's count
   * is cleared. The attempt is counted before the check, so concurrent attempts can't exceed the limit.
   * @throws Refusal 429 after 10 failures in 15 minutes. On a signed-in device, only if the attempt fails too.
   */
  attempt<T>(who: SignInAttempt, check: () => Promise<T | null>, wrong: Refusal): Promise<T>;
  /**
   * Counts a public call that writes, per address.
   * @throws Refusal 429 after `limit` calls in 15 minutes
   */
  count(call: string, address: string, limit: number): Promise<void>;
  /**
   * Counts an event per account in the caller's transaction, in the window of an hour. The account need not exist.
   * @returns false if there were `limit` of them already
   */
  countForAccount(tx: Writer, event: string, account: string, limit: number): Promise<boolean>;
  /** Clears the failures of an account after its password was reset. */
  clear(account: string): Promise<void>;
}

/** Uses our own table, in our own transactions (decision 23). */
export function openRateLimits({ db, now }: Pick<Deps, 'db' | 'now'>): RateLimits {
  return {
    attempt: async (who, check, wrong) => {
      const keys = keysOf(who);
      const device = who.device === undefined ? null : `device ${who.device}`;
      if (device === null) {
        for (const key of keys) throwIfLimited(waitOf(await readAttempts(db.read, key), now()));
      }
      return queueHashing(async () => {
        const at = now();
        if (device !== null)
          throwIfLimited(await db.write((tx) => countAttempt(tx, [device], at, authLimits.deviceTries)));
        const waits = await db.write((tx) => countAttempt(tx, keys, at));
        if (device === null) throwIfLimited(waits);
        const found = await check();
        if (found === null) {
          throwIfLimited(waits);
          throw wrong;
        }
        await db.write(async (tx) => {
          if (who.account !== undefined) await saveAttempts(tx, accountKey(who.account), []);
          if (waits === 0) await refund(tx, addressKey(who.address), at);
          if (device !== null) await saveAttempts(tx, device, []);
        });
        return found;
      });
    },
    count: async (call, address, limit) => {
      const key = `${call} ${networkOf(address)}`;
      const at = now();
      // A client over the limit causes no write.
      throwIfLimited(waitOf(await readAttempts(db.read, key), at, limit));
      throwIfLimited(await db.write((tx) => countAttempt(tx, [key], at, limit)));
    },
    countForAccount: async (tx, event, account, limit) => {
      const key = `${event} ${accountKey(account)}`;
      const next = addAttempt(await lockAttempts(tx, key), now(), limit, HOUR);
      if (next.times !== null) await saveAttempts(tx, key, next.times);
      return next.times !== null;
    },
    clear: (account) => db.write((tx) => saveAttempts(tx, accountKey(account), [])),
  };
}

/** The keys in locking order. Accounts are hashed, so that the table isn't a list of e-mails. */
function keysOf({ account, address }: SignInAttempt): readonly string[] {
  return account === undefined ? [addressKey(address)] : [accountKey(account), addressKey(address)];
}

function addressKey(address: string): string {
  return `address ${networkOf(address)}`;
}

function accountKey(account: string): string {
  return `account ${digest('sha256', account, 'hex')}`;
}

/** The network of an address: an IPv4 address itself, or the first 64 bits of an IPv6 address, which one home gets. */
export function networkOf(address: string): string {
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

function waitOf(times: readonly number[], at: number, limit?: number): number {
  return addAttempt(times, at, limit).wait;
}

/** Counts an attempt for each key, or for none if one is over its limit. @returns the milliseconds to wait, or 0 */
async function countAttempt(tx: Writer, keys: readonly string[], at: number, limit?: number): Promise<number> {
  const counted: [string, readonly number[]][] = [];
  let longest = 0;
  for (const key of keys) {
    const next = addAttempt(await lockAttempts(tx, key), at, limit);
    if (next.times === null) longest = Math.max(longest, next.wait);
    else counted.push([key, next.times]);
  }
  if (longest === 0) for (const [key, times] of counted) await saveAttempts(tx, key, times);
  return longest;
}

/** Removes this attempt from an address after a success. Its other failures still count. */
async function refund(tx: Writer, key: string, at: number): Promise<void> {
  const times = await lockAttempts(tx, key);
  const index = times.lastIndexOf(at);
  await saveAttempts(tx, key, index === -1 ? times : times.toSpliced(index, 1));
}

function throwIfLimited(milliseconds: number): void {
  if (milliseconds === 0) return;
  throw new Refusal(429, 'Too many attempts. Please wait a little, then try again.', {
    retryAfter: Math.ceil(milliseconds / 1000),
  });
}
