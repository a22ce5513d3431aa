import type { Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { DAY } from '../../base/time.ts';

/** How long sent reminders are remembered: longer than any stays due. */
const HISTORY_MS = 30 * DAY;
/** Rows per DELETE. SQLite accepts about 32,000 values in one statement. */
const ROWS_AT_ONCE = 1_000;

/** Deletes old reminders and records of sent ones, of all couples: a step of the sweep. */
export async function sweepReminders({ db, now }: Deps, mayContinue: () => boolean): Promise<void> {
  while (mayContinue() && (await db.write((tx) => deleteOldReminders(tx, now()))));
}

/** Deletes a batch. @returns whether there may be more */
async function deleteOldReminders(tx: Writer, now: number): Promise<boolean> {
  const reminders = await tx
    .deleteFrom('reminders')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('coupleId', 'userId', 'sessionId', 'key'),
        'in',
        selectFrom('reminders')
          .select(['coupleId', 'userId', 'sessionId', 'key'])
          .where('createdAt', '<', now - HISTORY_MS)
          .limit(ROWS_AT_ONCE)
          .$asTuple('coupleId', 'userId', 'sessionId', 'key'),
      ),
    )
    .executeTakeFirst();
  const told = await tx
    .deleteFrom('toldReminders')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('coupleId', 'userId', 'device', 'key'),
        'in',
        selectFrom('toldReminders')
          .select(['coupleId', 'userId', 'device', 'key'])
          .where('toldAt', '<', now - HISTORY_MS)
          .limit(ROWS_AT_ONCE)
          .$asTuple('coupleId', 'userId', 'device', 'key'),
      ),
    )
    .executeTakeFirst();
  return [reminders, told].some(({ numDeletedRows }) => numDeletedRows >= ROWS_AT_ONCE);
}
