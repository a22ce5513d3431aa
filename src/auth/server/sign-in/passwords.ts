import { hash, verify } from '@node-rs/argon2';
import PQueue from 'p-queue';
import { Refusal } from '../../../base/refusal.ts';
import { passwordFault } from '../../rules.ts';

/** OWASP's parameters for Argon2id, which is the library's own kind: 19 MiB, two passes, one thread. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** What a password is held against where there is no account: of the same parameters, so that it takes as long. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$b3VyIGxvdmUgc3RvcnkgMA$MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY';

/** Hashing is dear by intent: two at once, however many ask, and the rest wait. */
const turns = new PQueue({ concurrency: 2 });
const LONGEST_QUEUE = 500;

/**
 * Runs what guesses or hashes a secret when its turn comes. A guess waits here before its try is taken, so that many
 * honest ones at once don't use up each other's tries.
 * @throws Refusal 503 where too many wait already
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (turns.size >= LONGEST_QUEUE) {
    throw new Refusal(503, 'Too many people are signing in at this moment. Please try again.', { retryAfter: 5 });
  }
  return turns.add(work);
}

/** Argon2id of a password, PHC text. Keyboards write the same letter in different ways, hence NFC. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFC'), ARGON2));
}

/**
 * Whether a password is the one of this hash. It takes as long where there is no account (null), so that the time
 * doesn't tell. To be called inside a turn.
 */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const possible = passwordHash !== null && passwordFault(password) === null;
  const matches = await verify(possible ? passwordHash : NOBODY, possible ? password.normalize('NFC') : 'nobody');
  return possible && matches;
}
