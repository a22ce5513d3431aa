import type { Db, Writer } from '../../../base/server/db/db.ts';
import { isBackedUpTable } from '../../../base/server/db/tables/table-policies.ts';
import { toRefusal } from '../../../base/server/http/to-refusal.ts';
import type { Manifest } from '../../manifest.ts';
import { BackupError, errorMessage } from './backup-error.ts';
import type { BackupFolder } from './backup-folder.ts';
import { insertRows, readRows } from './table-rows.ts';

/** Inserts the rows of all tables in one transaction, which `finish` may complete. */
export async function fillTables(
  db: Pick<Db, 'write'>,
  folder: BackupFolder,
  manifest: Manifest,
  finish: (tx: Writer) => Promise<void> = async () => undefined,
): Promise<void> {
  await db.write(async (tx) => {
    for (const { table, file, rows } of manifest.tables) {
      if (!isBackedUpTable(table)) throw new BackupError(`The backup has an unknown table: ${table}.`);
      const count = await insertRows(tx, table, readRows(folder.path(file))).catch((error: unknown) => {
        // A full disk or a lost connection isn't the row's fault.
        if (error instanceof BackupError || toRefusal(error) !== null) throw error;
        throw new BackupError(`${file} has a row that the database refuses: ${errorMessage(error)}`);
      });
      if (count !== rows) throw new BackupError(`${file} has ${count} rows, and should have ${rows}.`);
    }
    await finish(tx);
  });
}
