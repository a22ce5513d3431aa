import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { CallName } from '../../call.ts';
import { DAY } from '../../durations.ts';
import type { CoupleId } from '../../ids.ts';
import { Refusal } from '../../refusal.ts';
import type { Db, Reader, Writer } from '../db/db.ts';
import { isLockTimeout } from '../db/faults.ts';
import type { Deps } from '../deps.ts';
import { hasLeaseEnded } from '../jobs/has-lease-ended.ts';
import { Answer } from './answer.ts';

/** How long a key gives the first reply again, and how long it creates nothing a second time. */
const REPLY_MS = DAY;
const KEY_MS = 90 * DAY;
/** How long a transaction waits for another node's with the same key. */
const LOCK_TIMEOUT_MS = 2_000;

/** What an asker may see now of something that was created earlier: 200 with it, or why there is nothing to see. */
export type SeenAgain = Answer<unknown> | 'deleted' | 'hidden';

/** A create that may carry an `Idempotency-Key`. */
export interface IdempotentCreate {
  readonly name: CallName;
  readonly coupleId: CoupleId;
  /** Null without a key. */
  readonly key: string | null;
  /** Reads what a key created, as the asker may see it now. */
  readonly readAgain: (id: string) => Promise<SeenAgain>;
}

/** How the work of a create uses its key. */
export interface IdempotentRun {
  /**
   * Returns what a retry gets; null if the key has created nothing yet. Content identifies the request.
   * @throws Refusal 422 if the key was used for another request; 410 if what it created was deleted, or is hidden
   */
  readonly replay: ((content: string) => Promise<Answer<unknown>>) | null;
  /**
   * Creates something in one transaction, which also stores the key with the reply. `work` may run more than once, and the
   * reply may be that of another request with the same key, as from `replay`.
   */
  create<T extends { readonly id: string }>(
    work: (tx: Writer) => Promise<Answer<T>>,
    content: string,
  ): Promise<Answer<T>>;
}

interface StoredReply {
  /** A hash of the call and its content. */
  readonly fingerprint: string;
  readonly createdId: string;
  /** Null once it is a day old. */
  readonly answer: Answer<unknown> | null;
}

/** The keys whose requests are running in this process, of each database. */
const running = new WeakMap<Db, Set<string>>();

/**
 * Runs work that creates something at most once per key. The row of the key is inserted by the transaction that creates, so
 * both exist or neither, however long this process is paused, and after an error the key is free. Of two nodes with the
 * same key, the second waits for the first one's commit and gets its reply.
 * @throws Refusal 409 with Retry-After while another request with this key is running; what `work` throws
 */
export async function runIdempotent<T>(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  request: IdempotentCreate,
  work: (once: IdempotentRun) => Promise<T>,
): Promise<T> {
  const { coupleId, key } = request;
  if (key === null) return work({ replay: null, create: (creating) => db.write(creating) });
  const keys = running.get(db) ?? new Set();
  running.set(db, keys);
  const name = `${coupleId} ${key}`;
  if (keys.has(name)) throw stillRunning();
  keys.add(name);
  try {
    const stored = await findReply(db.read, { coupleId, key }, now());
    if (stored === 'running') throw stillRunning();
    return await work({
      replay: stored && ((content) => replay(stored, request, content)),
      create: (creating, content) => createOnce({ db, now }, { ...request, key }, stored, creating, content),
    });
  } finally {
    keys.delete(name);
  }
}

async function createOnce<T extends { readonly id: string }>(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  request: IdempotentCreate & { readonly key: string },
  stored: StoredReply | null,
  creating: (tx: Writer) => Promise<Answer<T>>,
  content: string,
): Promise<Answer<T>> {
  if (stored) return replay<T>(stored, request, content);
  try {
    return await db.write(async (tx) => {
      const answer = await creating(tx);
      if (db.engine === 'postgres')
        await sql`select set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}`}, true)`.execute(tx);
      await insertReply(tx, request, { fingerprint: fingerprintOf(request.name, content), answer, now: now() });
      return answer;
    });
  } catch (error) {
    if (isLockTimeout(error)) throw stillRunning();
    if (!(error instanceof KeyTaken)) throw error;
    const theirs = await findReply(db.read, request, now());
    // A node of version 1.0.0 has claimed the key, and stores its reply later.
    if (theirs === null || theirs === 'running') throw stillRunning();
    return replay<T>(theirs, request, content);
  }
}

/** Another request has stored this key since this one began. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

function stillRunning(): Refusal {
  return new Refusal(409, 'The first request with this Idempotency-Key is still running.', { retryAfter: 1 });
}

/** The first reply, for a day; then what it created as it is now. */
async function replay<T>(
  { fingerprint, createdId, answer }: StoredReply,
  { name, readAgain }: IdempotentCreate,
  content: string,
): Promise<Answer<T>> {
  if (fingerprint !== fingerprintOf(name, content)) {
    throw new Refusal(422, 'This Idempotency-Key was used for another request. Nothing was saved.');
  }
  const seen = await readAgain(createdId);
  if (seen !== 'hidden' && answer !== null) return answer as Answer<T>;
  if (seen instanceof Answer) return new Answer(seen.body as T, { status: 200, headers: seen.headers });
  throw new Refusal(410, 'This was saved before, and it is not there any more.');
}

/** Hashes the request that a key is used for: the call's name and its content. */
function fingerprintOf(...content: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of content) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}

interface CoupleKey {
  readonly coupleId: CoupleId;
  readonly key: string;
}

/** Whether a couple has used a key. */
export async function isKnownKey(reader: Reader, { coupleId, key }: CoupleKey): Promise<boolean> {
  const row = await reader
    .selectFrom('replies')
    .select('key')
    .where('coupleId', '=', coupleId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}

async function findReply(
  reader: Reader,
  { coupleId, key }: CoupleKey,
  now: number,
): Promise<StoredReply | 'running' | null> {
  const row = await reader
    .selectFrom('replies')
    .selectAll()
    .select(hasLeaseEnded('claimedUntil', now).as('isFree'))
    .where('coupleId', '=', coupleId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (!row || row.createdAt < now - KEY_MS) return null;
  // Version 1.0.0 claims a key before it creates.
  if (row.status === null || row.fingerprint === null) return row.isFree ? null : 'running';
  const body = JSON.parse(row.body ?? 'null') as { readonly id: string } | null;
  const headers = JSON.parse(row.headers ?? '{}') as Record<string, string>;
  return {
    fingerprint: row.fingerprint,
    createdId: row.createdId ?? body?.id ?? '',
    answer: body === null || row.createdAt < now - REPLY_MS ? null : new Answer(body, { status: row.status, headers }),
  };
}

/** @throws KeyTaken if another request has stored the key, or a running one of version 1.0.0 has claimed it */
async function insertReply(
  tx: Writer,
  { coupleId, key }: CoupleKey,
  { fingerprint, answer, now }: { fingerprint: string; answer: Answer<{ readonly id: string }>; now: number },
): Promise<void> {
  const row = {
    fingerprint,
    status: answer.status ?? 200,
    headers: JSON.stringify(answer.headers),
    body: JSON.stringify(answer.body),
    createdId: answer.body.id,
    createdAt: now,
    claimedUntil: 0,
    claimedBy: null,
  };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('replies')
    .values({ coupleId, key, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['coupleId', 'key'])
        .doUpdateSet(row)
        .where((eb) =>
          eb.or([
            eb('replies.createdAt', '<', now - KEY_MS),
            eb.and([eb('replies.status', 'is', null), hasLeaseEnded('replies.claimedUntil', now)]),
          ]),
        ),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new KeyTaken();
}

/** Forgets the replies that are a day old, and the keys that are ninety days old, of all couples. For the sweep only. */
export async function sweepReplies({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const at = now();
  await db.write(async (tx) => {
    await tx
      .updateTable('replies')
      .set({
        // Version 1.0.0 stores no id, but each body begins with it.
        createdId: sql`coalesce("createdId", substr("body", ${'{"id":"'.length + 1}, 36))`,
        headers: null,
        body: null,
      })
      .where('body', 'is not', null)
      .where('createdAt', '<', at - REPLY_MS)
      .execute();
    await tx
      .deleteFrom('replies')
      .where('createdAt', '<', at - KEY_MS)
      .execute();
  });
}
