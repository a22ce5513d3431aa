import { uuidv7 } from 'uuidv7';
import { DAY } from '../../durations.ts';
import type { CoupleId, UserId } from '../../ids.ts';
import type { Reader, Writer } from '../db/db.ts';
import { inOrderAfter } from '../db/in-order-after.ts';
import { isNotSuspended } from '../db/is-not-suspended.ts';
import type { MailsTable } from '../db/tables/tables.ts';
import type { Deps } from '../deps.ts';
import { hasLeaseEnded } from '../jobs/has-lease-ended.ts';
import type { Queue } from '../jobs/send-queued-rows.ts';

/** A mail that waits, or was sent. */
export type Mail = MailsTable;

/** How long sending a mail is tried. */
const RETRIED_MS = DAY;
/** How long mails are remembered: at least as long as they are counted. */
const HISTORY_MS = 2 * DAY;

export interface NewMail {
  readonly kind: string;
  readonly address: string;
  /** What it is about: an id or a name, by its kind. */
  readonly about?: string | null;
  /** The user whom it is about. It is deleted with them, and waits while their space is suspended. */
  readonly user: { readonly coupleId: CoupleId; readonly userId: UserId } | null;
}

/** Queues a mail. It is sent if and only if the transaction commits. */
export async function insertMail(tx: Writer, { kind, address, about = null, user }: NewMail, now: number) {
  const { coupleId, userId } = user ?? { coupleId: null, userId: null };
  const state = { createdAt: now, heldUntil: 0, tries: 0, doneAt: null };
  await tx
    .insertInto('mails')
    .values({ id: uuidv7(), coupleId, userId, kind, address, about, ...state })
    .execute();
}

/** The queue of mails. One that was sent forgets its address. */
export const mailQueue: Queue<Mail> = {
  what: 'a mail',
  pending: (reader, now, after, limit) => {
    const pending = reader
      .selectFrom('mails')
      .selectAll()
      .where('doneAt', 'is', null)
      .where('createdAt', '>', now - RETRIED_MS)
      .where(hasLeaseEnded('heldUntil', now))
      .where(isNotSuspended('mails.coupleId'));
    const columns = ['heldUntil', 'id'] as const;
    return inOrderAfter(pending, columns, after && columns.map((column) => after[column]))
      .limit(limit)
      .execute();
  },
  update: async (tx, { id }, changes, freeAt) => {
    const { numUpdatedRows } = await tx
      .updateTable('mails')
      .set({ ...changes, ...((changes.doneAt ?? null) === null ? {} : { address: '' }) })
      .where('id', '=', id)
      .where('doneAt', 'is', null)
      .$if(freeAt !== undefined, (row) => row.where(hasLeaseEnded('heldUntil', freeAt ?? 0)))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
  mayRetry: ({ createdAt }, retryAt) => retryAt < createdAt + RETRIED_MS,
};

/** Whether a mail still waits: nothing has made it unwanted since it was claimed. */
export async function isWaiting(reader: Reader, { id }: Mail): Promise<boolean> {
  const row = await reader.selectFrom('mails').select('doneAt').where('id', '=', id).executeTakeFirst();
  return row?.doneAt === null;
}

/** Drops the mails of a kind that wait for an address. */
export async function dropMailsTo(tx: Writer, address: string, kind: string, now: number): Promise<void> {
  await tx
    .updateTable('mails')
    .set({ doneAt: now, address: '' })
    .where('address', '=', address)
    .where('kind', '=', kind)
    .where('doneAt', 'is', null)
    .execute();
}

/** Drops the mails of a kind that wait and are about a user. */
export async function dropMailsAbout(
  tx: Writer,
  { coupleId, userId }: { readonly coupleId: CoupleId; readonly userId: UserId },
  kind: string,
  now: number,
): Promise<void> {
  await tx
    .updateTable('mails')
    .set({ doneAt: now, address: '' })
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('doneAt', 'is', null)
    .execute();
}

/** When mails of a kind were queued within a day for a couple, or for one user of it: milliseconds, ascending. */
export async function timesOfMails(
  reader: Reader,
  { coupleId, userId }: { readonly coupleId: CoupleId; readonly userId?: UserId },
  kind: string,
  now: number,
): Promise<readonly number[]> {
  const rows = await reader
    .selectFrom('mails')
    .select('createdAt')
    .where('coupleId', '=', coupleId)
    .$if(userId !== undefined, (mails) => mails.where('userId', '=', userId ?? null))
    .where('kind', '=', kind)
    .where('createdAt', '>', now - DAY)
    .orderBy('createdAt')
    .execute();
  return rows.map(({ createdAt }) => createdAt);
}

/** Deletes old mails, of all couples: a step of the sweep. */
export async function sweepMails({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await db.write((tx) =>
    tx
      .deleteFrom('mails')
      .where('createdAt', '<', now() - HISTORY_MS)
      .execute(),
  );
}
