import { randomUUID } from 'node:crypto';
import { DAY } from '../time.ts';
import type { Reader, Writer } from './db/db.ts';
import type { ScheduledJobsTable } from './db/tables.ts';

/** The chores there are. */
export type ScheduledJobName = 'backup' | 'scrub' | 'import' | 'sweep' | 'store' | 'erasures' | 'backupFolder';

/** A chore as it was left; one that never was has neither. */
export interface ScheduledJob<State> {
  readonly doneAt: number | null;
  readonly state: State | null;
}

export async function readScheduledJob<State>(reader: Reader, name: ScheduledJobName): Promise<ScheduledJob<State>> {
  const row = await reader.selectFrom('scheduledJobs').selectAll().where('name', '=', name).executeTakeFirst();
  return { doneAt: row?.doneAt ?? null, state: row?.state ? (JSON.parse(row.state) as State) : null };
}

/**
 * Takes the lease of a chore until an instant.
 * @returns its owner, to renew and release it with; null where another node has it, or its time has not come
 */
export async function takeJobLease(
  tx: Writer,
  name: ScheduledJobName,
  now: number,
  until: number,
): Promise<string | null> {
  const owner = randomUUID();
  await tx
    .insertInto('scheduledJobs')
    .values({ name, heldUntil: 0, heldBy: null, doneAt: null, state: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { numUpdatedRows } = await tx
    .updateTable('scheduledJobs')
    .set({ heldUntil: until, heldBy: owner })
    .where('name', '=', name)
    // A lease that ends in more than a day was taken while a clock was wrong.
    .where(({ eb, or }) => or([eb('heldUntil', '<=', now), eb('heldUntil', '>', now + DAY)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n ? owner : null;
}

/**
 * Writes what is known of a chore by now, and until when its lease holds.
 * @param changes `owner` is that of the lease; without it, it is written whoever has the lease
 * @returns false where another node took the lease meanwhile; then nothing is written
 */
export async function saveScheduledJob(
  tx: Writer,
  name: ScheduledJobName,
  changes: Partial<Pick<ScheduledJobsTable, 'heldUntil' | 'doneAt'>> & {
    readonly state?: object;
    readonly owner?: string;
  },
): Promise<boolean> {
  const { state, owner, ...columns } = changes;
  let update = tx
    .updateTable('scheduledJobs')
    .set({ ...columns, ...(state === undefined ? {} : { state: JSON.stringify(state) }) })
    .where('name', '=', name);
  if (owner !== undefined) update = update.where('heldBy', '=', owner);
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}

/** Writes what was found of a chore, whether or not anybody holds it. */
export async function recordScheduledJob(
  tx: Writer,
  name: ScheduledJobName,
  note: { readonly doneAt: number; readonly state?: object },
): Promise<void> {
  const columns = { doneAt: note.doneAt, ...(note.state === undefined ? {} : { state: JSON.stringify(note.state) }) };
  await tx
    .insertInto('scheduledJobs')
    .values({ name, heldUntil: 0, heldBy: null, state: null, ...columns })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
    .execute();
}
