import { formatSize, plural } from '../src/base/number-texts.ts';
import { assertCompatible } from '../src/base/server/db/compatibility.ts';
import { lastMigration } from '../src/base/server/db/migrate.ts';
import { latestMigration, migrations } from '../src/base/server/db/migrations/index.ts';
import { describeContents } from '../src/keeping/manifest.ts';
import { backUp } from '../src/keeping/server/backup/backup.ts';
import { thinOwnBackups } from '../src/keeping/server/backup/thin-backups.ts';
import { CommandError, pathArgument, printLine, runCommand } from './lib/command.ts';
import { withAlbum } from './lib/stores.ts';

/** `npm run backup -- DIR`: backs everything up while the app runs. */
await runCommand(async () => {
  const root = pathArgument(process.argv[2], 'npm run backup -- DIR');
  await withAlbum(async ({ db, files, migrate }) => {
    const migration = await lastMigration(migrate);
    if (migration === null)
      throw new CommandError(
        'Nothing to back up: DATA_DIR or DATABASE_URL points to an empty database. Start the app once first.',
      );
    await assertCompatible(migrate, migrations);
    const { manifest, copied, changed } = await backUp({ db, files, migration, now: Date.now }, root);
    printLine(
      `Backed up ${describeContents(manifest)} (${formatSize(manifest.photographs.totalBytes)}, ${copied} new) to ${root}`,
    );
    for (const name of manifest.damaged) {
      const what = changed.has(name)
        ? 'is damaged and was backed up as it is'
        : 'is missing or unreadable and was not backed up';
      process.stderr.write(`Photograph ${name} ${what}.\n`);
    }
    if (manifest.damaged.length > 0) process.exitCode = 1;
    // Before an upgrade every backup is kept: the tables that say whose photo store it is may not exist yet.
    if (migration < latestMigration) return;
    const { reason, ofOthers } = await thinOwnBackups({ db, files, now: Date.now }, root);
    if (ofOthers > 0) printLine(`${plural(ofOthers, 'backup')} of another database kept. See docs/operating.md`);
    if (reason === null) return;
    process.stderr.write(`${reason}\n`);
    process.exitCode = 1;
  }, root);
});
