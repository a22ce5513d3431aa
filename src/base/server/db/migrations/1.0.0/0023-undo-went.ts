import type { Kysely } from 'kysely';

/** Stores with a date that was completed by 'We went!' what is needed to undo it. */
export async function undoWent(db: Kysely<unknown>): Promise<void> {
  const columns = [
    ['wentBy', 'text'],
    ['wentVersion', 'integer'],
    ['notesBeforeWent', 'text'],
    ['updatedAtBeforeWent', 'bigint'],
  ] as const;
  for (const [name, type] of columns) await db.schema.alterTable('dates').addColumn(name, type).execute();
}
