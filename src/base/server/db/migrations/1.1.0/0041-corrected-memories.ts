import type { Kysely } from 'kysely';

/**
 * A memory's version, when it was last changed, and the capture time that a partner gave it. A node of an older version
 * shows that of the file.
 */
export async function correctedMemories(db: Kysely<unknown>): Promise<void> {
  const memories = () => db.schema.alterTable('memories');
  await memories().addColumn('correctedTakenAt', 'bigint').execute();
  await memories().addColumn('updatedAt', 'bigint').execute();
  await memories()
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
}
