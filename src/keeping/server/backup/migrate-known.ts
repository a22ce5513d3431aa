import type { Kysely } from 'kysely';
import { migrateTo } from '../../../base/server/db/migrate.ts';
import type { Tables } from '../../../base/server/db/tables/tables.ts';
import { BackupError } from './backup-error.ts';

/** @throws BackupError if the backup was made by a newer version */
export async function migrateKnown(migrate: Kysely<Tables>, migration: string): Promise<void> {
  try {
    await migrateTo(migrate, migration);
  } catch (error) {
    if (error instanceof Error && /migration .* (isn't|not|doesn't)/i.test(error.message)) {
      throw new BackupError('This backup was made by a newer version. Restore it with that version.');
    }
    throw error;
  }
}
