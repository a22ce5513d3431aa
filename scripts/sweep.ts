import { belongingOf, mismatchOf } from '../src/base/server/store-identity.ts';
import { plural } from '../src/base/text.ts';
import { ANY_AGE, confirmStrays, scanStore } from '../src/memories/server/sweep/strays.ts';
import { STOP_REASONS, stopReasonOf } from '../src/memories/stray-rules.ts';
import { CommandError, print, requireMigrated, runCommand, withAlbum } from './lib/command.ts';

/**
 * `npm run sweep`: counts the stored files that belong to no memory, and reports whether they stop the sweep. With
 * `--confirm`, the sweep continues: it assigns the photo store to this database and deletes these files in thirty days.
 */
await runCommand(async () => {
  const [option, ...more] = process.argv.slice(2);
  if ((option !== undefined && option !== '--confirm') || more.length > 0) {
    throw new CommandError('Usage: npm run sweep [-- --confirm]');
  }
  await withAlbum(async ({ db, files, migrate }) => {
    await requireMigrated(migrate);
    const deps = { db, files, now: Date.now };
    const belonging = await belongingOf(deps);
    const scan = await scanStore(deps, ANY_AGE, () => true);
    if (scan === null) return;
    print(`${plural(scan.files, 'file')} in the photo store, ${scan.strays} not referenced by any memory.`);
    if (scan.unknownCouples > 0) print(`They belong to ${plural(scan.unknownCouples, 'couple')} not in the database.`);
    const reason = mismatchOf(belonging) ?? stopReasonOf(scan);
    if (option === '--confirm') {
      await confirmStrays(deps, scan);
      print(
        `Confirmed. The sweep resumes within the hour and will delete these ${plural(scan.strays, 'file')} in thirty days.`,
      );
    } else if (reason === null) print('The sweep is not stopped.');
    else {
      print(`The sweep is stopped: ${STOP_REASONS[reason]}.`);
      process.exitCode = 1;
    }
  });
});
