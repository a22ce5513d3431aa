import { lastMigration } from '../src/base/server/db/open.ts';
import { formatSize } from '../src/base/text.ts';
import { backUp } from '../src/keeping/server/backup/backup.ts';
import { BackupError } from '../src/keeping/server/backup/backup-error.ts';
import { thinBackups } from '../src/keeping/server/backup/thin-backups.ts';
import { describeContents } from '../src/keeping/server/backup/verify.ts';
import { command, say, typedPath, withAlbum } from './lib/command.ts';

/** `npm run backup -- DIR`: backs everything up while the app runs. */
await command(async () => {
  const root = typedPath(process.argv[2], 'npm run backup -- DIR');
  await withAlbum(async ({ db, files, migrate }) => {
    const migration = await lastMigration(migrate);
    if (migration === null)
      throw new BackupError('There is no album here yet: DATA_DIR or DATABASE_URL leads to an empty place.');
    const { manifest, copied } = await backUp({ db, files, migration, now: Date.now }, root);
    say(
      `Backed up ${describeContents(manifest)} (${formatSize(manifest.photographs.totalBytes)}, ${copied} of them new) to ${root}`,
    );
    for (const name of manifest.damaged)
      process.stderr.write(`The photograph ${name} is lost or changed; the backup is without it.\n`);
    const reason = await thinBackups(root);
    if (reason !== null) process.stderr.write(`${reason}\n`);
    if (manifest.damaged.length > 0 || reason !== null) process.exitCode = 1;
  });
});
