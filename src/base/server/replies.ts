import { createHash, randomUUID } from 'node:crypto';
import type { CoupleId } from '../ids.ts';
import { Refusal } from '../refusal.ts';
import { DAY } from '../time.ts';
import { Answer } from './answer.ts';
import type { Db, Reader, Writer } from './db/db.ts';

/** A claim that is not renewed for so long belongs to a node that died. */
const CLAIM_MS = 20_000;
const RENEW_MS = 5_000;

/** The first answer to a key, and what the key was used for. */
export interface KeptReply {
  readonly fingerprint: string;
  readonly answer: Answer<unknown>;
}

/** A key taken by the request under way, or the answer that it got before. */
export interface Claim {
  readonly kept: KeptReply | null;
  /**
   * Writes the answer in the transaction that creates the thing, so that there are both or neither.
   * @throws ClaimLost where the claim is another request's by now: the transaction must roll back
   */
  keep(tx: Writer, fingerprint: string, answer: Answer<unknown>): Promise<void>;
  /** The answer that another request has kept since this claim was taken; null where there is none. */
  later(): Promise<KeptReply | null>;
  /** Ends the claim of a call that has succeeded. */
  end(): void;
  /** Ends the claim of a call that has failed, and frees its key: only a success is kept. */
  release(): Promise<void>;
}

/**
 * The claim ran out while this request was stopped, and another request took the key. What this one was about to create
 * is not created; who asks again gets the other's answer.
 */
export class ClaimLost extends Refusal {
  constructor() {
    super(409, STILL_RUNNING, { retryAfter: 1 });
  }
}

const STILL_RUNNING = 'The first request with this Idempotency-Key is still running.';

/** What a key was used for, as one hash: the call's name and its content. */
export function fingerprintOf(...content: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of content) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}

/** The kept answer again, 422 where the key was used for another call or body (contract 1, Retrying). */
export function replay(kept: KeptReply, fingerprint: string): Answer<unknown> {
  if (kept.fingerprint === fingerprint) return kept.answer;
  throw new Refusal(422, 'This Idempotency-Key was used for another request. Nothing was saved.');
}

/**
 * Takes a key for one couple's call. The claim is a lease: it is renewed while the call runs, and another request may
 * take it over once it has run out, so that the key of a dead node is free again soon. A node that was only stopped
 * finds that out when it keeps its answer.
 * @throws Refusal 409 while the first call with this key is still running
 */
export async function claimKey(db: Db, coupleId: CoupleId, key: string, now: () => number): Promise<Claim> {
  const at = now();
  const owner = randomUUID();
  const found = await db.write(async (tx) => {
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
          .where('replies.claimedUntil', '<', at),
      )
      .executeTakeFirst();
    if (taken.numInsertedOrUpdatedRows === 1n) return 'taken';
    return findReply(tx, coupleId, key);
  });
  if (found === 'taken') return runningClaim(db, { coupleId, key, owner }, now);
  if (found === null) throw new Refusal(409, STILL_RUNNING, { retryAfter: 1 });
  const nothing = async () => undefined;
  return { kept: found, keep: nothing, later: async () => found, end: () => undefined, release: nothing };
}

/**
 * Frees the keys that were claimed when the server died. Only at start, and only where one process has the database to
 * itself: another node's claims are alive.
 */
export async function freeClaims({ engine, write }: Db): Promise<void> {
  if (engine === 'sqlite') await write((tx) => tx.deleteFrom('replies').where('status', 'is', null).execute());
}

async function findReply(reader: Reader, coupleId: CoupleId, key: string): Promise<KeptReply | null> {
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

interface Held {
  readonly coupleId: CoupleId;
  readonly key: string;
  readonly owner: string;
}

function runningClaim(db: Db, { coupleId, key, owner }: Held, now: () => number): Claim {
  const mine = (tx: Writer) =>
    tx
      .updateTable('replies')
      .where('coupleId', '=', coupleId)
      .where('key', '=', key)
      .where('claimedBy', '=', owner)
      .where('status', 'is', null);
  const renewal = setInterval(() => {
    // A renewal that fails is tried again by the next; should all fail, the claim merely ends a while later.
    db.write((tx) =>
      mine(tx)
        .set({ claimedUntil: now() + CLAIM_MS })
        .execute(),
    ).catch(() => undefined);
  }, RENEW_MS);
  renewal.unref();
  return {
    kept: null,
    keep: async (tx, fingerprint, answer) => {
      const { numUpdatedRows } = await mine(tx)
        .set({
          fingerprint,
          status: answer.status ?? 200,
          headers: JSON.stringify(answer.headers),
          body: JSON.stringify(answer.body),
        })
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw new ClaimLost();
    },
    later: () => findReply(db.read, coupleId, key),
    end: () => clearInterval(renewal),
    release: async () => {
      clearInterval(renewal);
      await db.write((tx) =>
        tx
          .deleteFrom('replies')
          .where('coupleId', '=', coupleId)
          .where('key', '=', key)
          .where('claimedBy', '=', owner)
          .where('status', 'is', null)
          .execute(),
      );
    },
  };
}
