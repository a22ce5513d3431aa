import { createHash } from 'node:crypto';
import type { CoupleId } from '../ids.ts';
import { Refusal } from '../refusal.ts';
import { DAY } from '../time.ts';
import { Answer } from './answer.ts';
import type { Db, Writer } from './db/db.ts';

/** Who waits for the answer of a server that was killed tries for half a minute. */
const CLAIM_MS = 20_000;
const RENEW_MS = 5_000;

/** The first answer to a key, and what the key was used for. */
export interface KeptReply {
  readonly fingerprint: string;
  readonly answer: Answer<unknown>;
}

/** A key taken by the call under way, or the answer it was given before. */
export interface Claim {
  readonly kept: KeptReply | null;
  /** Writes the answer in the transaction that creates the thing, so that there are both or neither. */
  keep(tx: Writer, fingerprint: string, answer: Answer<unknown>): Promise<void>;
  /** Frees the key where the call was refused: only a success is kept. */
  release(): Promise<void>;
}

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
 * Takes a key for one couple's call. A claim holds a while and is renewed while the call runs, so that a key whose
 * server was killed is free again soon, whichever node is asked.
 * @throws Refusal 409 while the first call with this key is still running
 */
export async function claimKey(db: Db, coupleId: CoupleId, key: string, now: () => number): Promise<Claim> {
  const at = now();
  const kept = await db.write(async (tx) => {
    await tx
      .deleteFrom('replies')
      .where('coupleId', '=', coupleId)
      .where('createdAt', '<', at - DAY)
      .execute();
    await tx
      .deleteFrom('replies')
      .where('coupleId', '=', coupleId)
      .where('key', '=', key)
      .where('status', 'is', null)
      .where('claimedUntil', '<', at)
      .execute();
    const inserted = await tx
      .insertInto('replies')
      .values({
        coupleId,
        key,
        fingerprint: null,
        status: null,
        headers: null,
        body: null,
        createdAt: at,
        claimedUntil: at + CLAIM_MS,
      })
      .onConflict((conflict) => conflict.columns(['coupleId', 'key']).doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows === 1n) return null;
    return tx
      .selectFrom('replies')
      .selectAll()
      .where('coupleId', '=', coupleId)
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
  });
  if (kept === null) return runningClaim(db, coupleId, key, now);
  if (kept.status === null || kept.fingerprint === null) {
    throw new Refusal(409, 'The first request with this Idempotency-Key is still running.', { retryAfter: 1 });
  }
  const answer = new Answer<unknown>(JSON.parse(kept.body ?? 'null'), {
    status: kept.status,
    headers: JSON.parse(kept.headers ?? '{}') as Record<string, string>,
  });
  return {
    kept: { fingerprint: kept.fingerprint, answer },
    keep: async () => undefined,
    release: async () => undefined,
  };
}

function runningClaim(db: Db, coupleId: CoupleId, key: string, now: () => number): Claim {
  const row = (tx: Writer) => tx.updateTable('replies').where('coupleId', '=', coupleId).where('key', '=', key);
  const renewal = setInterval(() => {
    // A renewal that fails is tried again by the next; should all fail, the claim merely ends a while later.
    db.write((tx) =>
      row(tx)
        .set({ claimedUntil: now() + CLAIM_MS })
        .where('status', 'is', null)
        .execute(),
    ).catch(() => undefined);
  }, RENEW_MS);
  renewal.unref();
  return {
    kept: null,
    keep: async (tx, fingerprint, answer) => {
      clearInterval(renewal);
      await row(tx)
        .set({
          fingerprint,
          status: answer.status ?? 200,
          headers: JSON.stringify(answer.headers),
          body: JSON.stringify(answer.body),
        })
        .execute();
    },
    release: async () => {
      clearInterval(renewal);
      await db.write((tx) =>
        tx
          .deleteFrom('replies')
          .where('coupleId', '=', coupleId)
          .where('key', '=', key)
          .where('status', 'is', null)
          .execute(),
      );
    },
  };
}
