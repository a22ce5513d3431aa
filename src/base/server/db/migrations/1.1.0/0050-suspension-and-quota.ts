import type { Kysely } from 'kysely';

/**
 * The operator's decisions about a couple: since when it is suspended, and how much it may keep; and how much it keeps,
 * where null means that nobody has counted it yet. A node of an older version lets a suspended couple in, and doesn't
 * change the number, which is counted again each night.
 */
export async function suspensionAndQuota(db: Kysely<unknown>): Promise<void> {
  for (const column of ['suspendedAt', 'quotaBytes', 'photoBytes']) {
    await db.schema.alterTable('couples').addColumn(column, 'bigint').execute();
  }
}
