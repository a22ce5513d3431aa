import type { Kysely } from 'kysely';

/**
 * The operator's decisions about a couple: since when it is suspended, and how much it may keep. A node of an older version
 * lets a suspended couple in.
 */
export async function suspensionAndQuota(db: Kysely<unknown>): Promise<void> {
  for (const column of ['suspendedAt', 'quotaBytes']) {
    await db.schema.alterTable('couples').addColumn(column, 'bigint').execute();
  }
}
