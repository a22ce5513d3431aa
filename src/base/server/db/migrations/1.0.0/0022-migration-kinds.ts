import type { Kysely } from 'kysely';

/** What each later migration means to nodes that don't know it (`compatibility.ts`). */
export async function migrationKinds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('migrationKinds')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('needs', 'text')
    .execute();
}
