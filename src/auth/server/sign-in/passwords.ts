import { hash, verify } from '@node-rs/argon2';
import PQueue from 'p-queue';
import { Refusal } from '../../../base/refusal.ts';
import type { PasswordCost } from '../../../base/server/deps.ts';
import { HASHING_THREADS } from '../../../base/server/process/thread-pool.ts';
import { passwordFault } from '../../rules.ts';

/** OWASP's parameters for Argon2id, the library's default algorithm: 19 MiB, two passes, one thread. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A dummy hash to verify against if there is no account. It has the same parameters, so it takes as long. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$b3VyIGxvdmUgc3RvcnkgMA$MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY';

/**
 * The hash of an account without a password, such as one that signs in with an OpenID provider. No password has it, so a
 * node of an older version, which doesn't know it, opens such an account to nobody.
 */
export const NO_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$bm8gcGFzc3dvcmQgc2V0IQ$bm8gcGFzc3dvcmQgb3BlbnMgdGhpcyBhY2NvdW50ISE';

const queue = new PQueue({ concurrency: HASHING_THREADS });
const MAX_QUEUED = 500;

/**
 * Queues work that hashes or verifies a secret. An attempt is counted only when its turn comes, so that many concurrent
 * honest ones don't use up each other's limit.
 * @throws Refusal 503 if the queue is full
 */
export async function queueHashing<T>(work: () => Promise<T>): Promise<T> {
  if (queue.size >= MAX_QUEUED) {
    throw new Refusal(503, 'Too many people are signing in right now. Please try again.', { retryAfter: 5 });
  }
  return queue.add(work);
}

/** Hashes a password with Argon2id, as a PHC string. NFC, because keyboards encode the same letter in different ways. */
export function hashPassword(password: string, cost: PasswordCost = PASSWORD_COST): Promise<string> {
  return queueHashing(() => hash(password.normalize('NFC'), cost));
}

/**
 * Whether a password matches the hash. It takes as long if there is no account (null) or no password, so the timing reveals nothing.
 * Call it inside `queueHashing`.
 */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const possible = passwordHash !== null && passwordHash !== NO_PASSWORD && passwordFault(password) === null;
  const matches = await verify(possible ? passwordHash : DUMMY_HASH, possible ? password.normalize('NFC') : 'dummy');
  return possible && matches;
}
