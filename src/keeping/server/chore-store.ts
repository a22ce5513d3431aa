import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { ChoresTable } from '../../base/server/db/tables.ts';

/** The chores there are. */
export type ChoreName = 'backup' | 'scrub';

/** A chore as it was left; one that never was has neither. */
export interface Chore<State> {
  readonly doneAt: number | null;
  readonly state: State | null;
}

export async function readChore<State>(reader: Reader, name: ChoreName): Promise<Chore<State>> {
  const row = await reader.selectFrom('chores').selectAll().where('name', '=', name).executeTakeFirst();
  return { doneAt: row?.doneAt ?? null, state: row?.state ? (JSON.parse(row.state) as State) : null };
}

/** Takes a chore in hand until an instant; false where another node has it, or its time has not come. */
export async function takeChore(tx: Writer, name: ChoreName, now: number, until: number): Promise<boolean> {
  await tx
    .insertInto('chores')
    .values({ name, heldUntil: 0, doneAt: null, state: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { numUpdatedRows } = await tx
    .updateTable('chores')
    .set({ heldUntil: until })
    .where('name', '=', name)
    .where('heldUntil', '<=', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Writes of a chore in hand what is known by now, and until when it is held. */
export async function saveChore(
  tx: Writer,
  name: ChoreName,
  changes: Partial<Pick<ChoresTable, 'heldUntil' | 'doneAt'>> & { readonly state?: object },
): Promise<void> {
  const { state, ...columns } = changes;
  await tx
    .updateTable('chores')
    .set({ ...columns, ...(state === undefined ? {} : { state: JSON.stringify(state) }) })
    .where('name', '=', name)
    .execute();
}
