import type { Reader, Writer } from '../db/db.ts';
import type { ScheduledJobsTable } from '../db/tables/tables.ts';
import { hasLeaseEnded } from './has-lease-ended.ts';

/** The jobs that the server runs by itself, and the last time that the clock was right: each is a row in `scheduledJobs`. */
export type ScheduledJobName =
  | 'backup'
  | 'scrub'
  | 'recount'
  | 'import'
  | 'sweep'
  | 'orphans'
  | 'deletions'
  | 'erasures'
  | 'alarms'
  | 'clock';

/** When a job last finished, and the state it left; both are null before its first run. */
export interface ScheduledJob<State> {
  readonly doneAt: number | null;
  readonly state: State | null;
}

export async function readScheduledJob<State>(reader: Reader, name: ScheduledJobName): Promise<ScheduledJob<State>> {
  const row = await reader.selectFrom('scheduledJobs').selectAll().where('name', '=', name).executeTakeFirst();
  return { doneAt: row?.doneAt ?? null, state: row?.state ? (JSON.parse(row.state) as State) : null };
}

/** Takes the lease on a job for an owner, until an instant (milliseconds). @returns false if another owner holds it */
export async function takeJobLease(
  tx: Writer,
  name: ScheduledJobName,
  owner: string,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<boolean> {
  await tx
    .insertInto('scheduledJobs')
    .values({ name, heldUntil: 0, heldBy: null, doneAt: null, state: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { numUpdatedRows } = await tx
    .updateTable('scheduledJobs')
    .set({ heldUntil: until, heldBy: owner })
    .where('name', '=', name)
    .where(hasLeaseEnded('heldUntil', now))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Saves a job's state and its lease's end.
 * @param changes with `owner`, they are saved only if this claim owner still holds the lease
 * @returns false if another node has taken the lease; nothing is saved then
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

/** Saves a job's result without a lease. */
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
