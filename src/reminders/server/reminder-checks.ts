import { sql } from 'kysely';
import type { CoupleId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { prepared } from '../../base/server/db/prepared.ts';
import type { ReminderChecksTable } from '../../base/server/db/tables/tables.ts';
import { HOUR } from '../../base/time.ts';

/**
 * When to look for due reminders of each couple next: one row per couple that has ever had a device. Whatever may make a
 * reminder due earlier (a date, the time zone, a device, a choice) asks for a check in its own transaction.
 */

/**
 * The longest time between two checks of a couple. With the evening before a date, which starts at most 31 hours before
 * it, this stays below the two days of `HORIZON.ahead`. It also bounds what a change by an older version of the app, which
 * asks for no checks, can delay.
 */
export const MAX_CHECK_MS = 6 * HOUR;

/** Asks for a check of a couple now, if it has ever had a device. */
export async function requestCheck(tx: Writer, coupleId: CoupleId, now: number): Promise<void> {
  await requested(tx, { coupleId, now });
}

const requested = prepared<{ readonly coupleId: CoupleId; readonly now: number }, unknown>((tx, value) =>
  tx
    .updateTable('reminderChecks')
    .set(({ eb }) => ({ checkAt: value('now'), version: eb('version', '+', 1) }))
    .where('coupleId', '=', value('coupleId')),
);

/** Asks for a check of a couple that has a new device. */
export async function addCheck(tx: Writer, coupleId: CoupleId, now: number): Promise<void> {
  await tx
    .insertInto('reminderChecks')
    .values({ coupleId, checkAt: now, version: 0 })
    .onConflict((conflict) =>
      conflict
        .column('coupleId')
        .doUpdateSet(({ eb }) => ({ checkAt: now, version: eb('reminderChecks.version', '+', 1) })),
    )
    .execute();
}

/** Reads the couples to check, of all couples, longest waiting first. For the scheduler only. */
export function dueChecks(reader: Reader, now: number, limit: number): Promise<ReminderChecksTable[]> {
  return reader
    .selectFrom('reminderChecks')
    .selectAll()
    .where('checkAt', '<=', now)
    .orderBy('checkAt')
    .orderBy('coupleId')
    .limit(limit)
    .execute();
}

/** The result of a check: when to check again (milliseconds). */
export type CheckResult = ReminderChecksTable & { readonly nextAt: number };

/** Saves the results of at least one check. A couple for which another check was requested meanwhile stays due. */
export async function saveChecks(tx: Writer, results: readonly CheckResult[]): Promise<void> {
  const rows = results.map(
    ({ coupleId, version, nextAt }) => sql`(${coupleId}, cast(${version} as integer), cast(${nextAt} as bigint))`,
  );
  // An update that joins the values would scan the whole table on SQLite. Every row exists, so each insert is an update by
  // key. Both engines name the columns of a list of values column1, column2, …
  await sql`insert into "reminderChecks" ("coupleId", "version", "checkAt")
    select "column1", "column2", "column3" from (values ${sql.join(rows)}) as "result"
    where exists (select 1 from "couples" where "id" = "column1")
    on conflict ("coupleId") do update set "checkAt" = "excluded"."checkAt"
    where "reminderChecks"."version" = "excluded"."version"`.execute(tx);
}

/** Checks that a clock in the future has postponed too far become due now, for all couples. For the scheduler only. */
export async function correctChecks(tx: Writer, now: number): Promise<void> {
  await tx
    .updateTable('reminderChecks')
    .set({ checkAt: now })
    .where('checkAt', '>', now + 2 * MAX_CHECK_MS)
    .execute();
}
