import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExpressionBuilder } from 'kysely';
import type { CoupleId } from '../ids.ts';
import { Refusal } from '../refusal.ts';
import { DAY } from '../time.ts';
import { Answer } from './answer.ts';
import type { Db, Reader, Writer } from './db/db.ts';
import type { Tables } from './db/tables.ts';
import { hasEnded } from './lease-end.ts';

/** A claim that isn't renewed within this time belongs to a dead node. */
const CLAIM_MS = 20_000;
const RENEW_MS = 5_000;
/** How often to try to release a claim while the database is away. */
const RELEASE_MS = 500;

/** The stored reply of an Idempotency-Key, and the fingerprint of its request. */
export interface StoredReply {
  readonly fingerprint: string;
  readonly answer: Answer<unknown>;
}

/** The current request's claim on a key, or the reply that the key got before. */
export interface Claim {
  readonly stored: StoredReply | null;
  /**
   * Stores the reply in the transaction that creates the entity, so that either both exist or neither.
   * @throws ClaimLost if another request has taken the claim; the transaction must roll back
   */
  store(tx: Writer, fingerprint: string, answer: Answer<unknown>): Promise<void>;
  /** Returns the reply that another request has stored since this claim; null if there is none. */
  findStored(): Promise<StoredReply | null>;
  /** Stops renewing the claim after a success. */
  end(): void;
  /**
   * Releases the claim after an error, so that the key can be used again. Only successes are stored. If the database is
   * away, this tries again in the background. Never throws.
   */
  release(): Promise<void>;
}

/**
 * The claim expired while this request was stopped, and another request took the key. This request creates nothing; a
 * retry gets the other request's reply.
 */
export class ClaimLost extends Refusal {
  constructor() {
    super(409, STILL_RUNNING, { retryAfter: 1 });
  }
}

const STILL_RUNNING = 'The first request with this Idempotency-Key is still running.';

/** Hashes the request that a key is used for: the call's name and its content. */
export function fingerprintOf(...content: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of content) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}

/** Returns the stored reply. @throws Refusal 422 if the key was used for another request (contract 1, Retrying) */
export function replay(stored: StoredReply, fingerprint: string): Answer<unknown> {
  if (stored.fingerprint === fingerprint) return stored.answer;
  throw new Refusal(422, 'This Idempotency-Key was used for another request. Nothing was saved.');
}

/**
 * Claims a key for a couple's request. The claim is a lease: it is renewed while the request runs, and another request
 * may take it once it has expired, so that a dead node doesn't block the key. A node that was only stopped gets ClaimLost
 * when it stores its reply.
 * @throws Refusal 409 while the first request with this key is still running
 */
export async function claimKey(db: Db, coupleId: CoupleId, key: string, now: () => number): Promise<Claim> {
  const at = now();
  const owner = randomUUID();
  let mayExist = false;
  const claiming = db.write(async (tx) => {
    await tx
      .deleteFrom('replies')
      .where('coupleId', '=', coupleId)
      .where('createdAt', '<', at - DAY)
      .execute();
    const claim = { createdAt: at, claimedUntil: at + CLAIM_MS, claimedBy: owner };
    const taken = await tx
      .insertInto('replies')
      .values({ coupleId, key, fingerprint: null, status: null, headers: null, body: null, ...claim })
      .onConflict((conflict) =>
        conflict
          .columns(['coupleId', 'key'])
          .doUpdateSet(claim)
          .where('replies.status', 'is', null)
          .where(hasEnded('replies.claimedUntil', at)),
      )
      .executeTakeFirst();
    mayExist = taken.numInsertedOrUpdatedRows === 1n;
    return mayExist ? 'taken' : findReply(tx, coupleId, key);
  });
  const found = await claiming.catch((error: unknown) => {
    // Only the answer to COMMIT may have been lost.
    if (mayExist) void releaseClaim(db, { coupleId, key, owner });
    throw error;
  });
  if (found === 'taken') return runningClaim(db, { coupleId, key, owner }, now);
  if (found === null) throw new Refusal(409, STILL_RUNNING, { retryAfter: 1 });
  const nothing = async () => undefined;
  return { stored: found, store: nothing, findStored: async () => found, end: () => undefined, release: nothing };
}

/**
 * Releases the claims of a server that died. Runs at startup, and only on SQLite, which one process uses: on PostgreSQL
 * they may belong to another node that is alive.
 */
export async function freeClaims({ engine, write }: Db): Promise<void> {
  if (engine === 'sqlite') await write((tx) => tx.deleteFrom('replies').where('status', 'is', null).execute());
}

async function findReply(reader: Reader, coupleId: CoupleId, key: string): Promise<StoredReply | null> {
  const row = await reader
    .selectFrom('replies')
    .selectAll()
    .where('coupleId', '=', coupleId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (!row || row.status === null || row.fingerprint === null) return null;
  const headers = JSON.parse(row.headers ?? '{}') as Record<string, string>;
  return {
    fingerprint: row.fingerprint,
    answer: new Answer<unknown>(JSON.parse(row.body ?? 'null'), { status: row.status, headers }),
  };
}

interface ClaimKey {
  readonly coupleId: CoupleId;
  readonly key: string;
  readonly owner: string;
}

function runningClaim(db: Db, { coupleId, key, owner }: ClaimKey, now: () => number): Claim {
  const ownClaim = (tx: Writer) => tx.updateTable('replies').where(isOwn({ coupleId, key, owner }));
  const renewal = setInterval(() => {
    // The next renewal retries a failed one. If all fail, the claim expires.
    db.write((tx) =>
      ownClaim(tx)
        .set({ claimedUntil: now() + CLAIM_MS })
        .execute(),
    ).catch(() => undefined);
  }, RENEW_MS);
  renewal.unref();
  return {
    stored: null,
    store: async (tx, fingerprint, answer) => {
      const { numUpdatedRows } = await ownClaim(tx)
        .set({
          fingerprint,
          status: answer.status ?? 200,
          headers: JSON.stringify(answer.headers),
          body: JSON.stringify(answer.body),
        })
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw new ClaimLost();
    },
    findStored: () => findReply(db.read, coupleId, key),
    end: () => clearInterval(renewal),
    release: async () => {
      clearInterval(renewal);
      await releaseClaim(db, { coupleId, key, owner });
    },
  };
}

const isOwn =
  ({ coupleId, key, owner }: ClaimKey) =>
  (eb: ExpressionBuilder<Tables, 'replies'>) =>
    eb.and({ coupleId, key, claimedBy: owner, status: null });

/**
 * Releases a claim. The database that failed the request is often still away: then a client that follows `Retry-After`
 * would get 409 until the claim expires, so this tries again in the background for as long.
 */
async function releaseClaim(db: Db, claim: ClaimKey): Promise<void> {
  const isReleased = async () => {
    try {
      await db.write((tx) => tx.deleteFrom('replies').where(isOwn(claim)).execute());
      return true;
    } catch {
      return false;
    }
  };
  const retry = async () => {
    for (let attempt = 0; attempt < CLAIM_MS / RELEASE_MS; attempt += 1) {
      await sleep(RELEASE_MS, null, { ref: false });
      if (await isReleased()) return;
    }
  };
  if (!(await isReleased())) void retry();
}
