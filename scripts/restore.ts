import { lockDataDir } from '../src/base/server/process/data-dir-lock.ts';
import { describeContents } from '../src/keeping/manifest.ts';
import { restoreBackup } from '../src/keeping/server/backup/restore-backup.ts';
import { allPassedQuotas } from '../src/keeping/server/integrity/passed-quotas.ts';
import { pathArgument, printLine, runCommand } from './lib/command.ts';
import { withStores } from './lib/stores.ts';

/** `npm run restore -- DIR [BACKUP]`: restores a backup into an empty database and photo store, of any engine. */
await runCommand(async () => {
  const root = pathArgument(process.argv[2], 'npm run restore -- DIR [BACKUP]');
  await withStores(async (stores) => {
    // A server would let people register meanwhile.
    const lock = lockDataDir(stores.config);
    try {
      const manifest = await restoreBackup(stores, root, process.argv[3] ?? null);
      printLine(
        `Restored ${describeContents(manifest)} from the backup of ${manifest.createdAt}. Everyone must sign in again.`,
      );
      for await (const passed of allPassedQuotas(stores.db.read, stores.config.quotaBytes)) {
        process.stderr.write(`${passed}\n`);
      }
    } finally {
      lock.release();
    }
  });
});
