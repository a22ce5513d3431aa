import { latestMigration } from '../src/base/server/db/migrations/index.ts';
import { lastMigration } from '../src/base/server/db/open.ts';
import { belongingOf } from '../src/base/server/store-identity.ts';
import { plural } from '../src/base/text.ts';
import { BackupError } from '../src/keeping/server/backup/backup-error.ts';
import { ANY_AGE, confirmStrays, scanStore } from '../src/memories/server/sweep/strays.ts';
import { STOP_REASONS, stopReasonOf } from '../src/memories/stray-rules.ts';
import { command, say, withAlbum } from './lib/command.ts';

/**
 * `npm run sweep`: lists the photo store, and tells what belongs to no memory and whether that stops the sweep. With
 * `--confirm` the sweep goes on: the store belongs to this database, and what is a stray now goes in thirty days.
 */
await command(async () => {
  const [option, ...more] = process.argv.slice(2);
  if ((option !== undefined && option !== '--confirm') || more.length > 0) {
    throw new BackupError('Usage: npm run sweep [-- --confirm]');
  }
  await withAlbum(async ({ db, files, migrate }) => {
    if ((await lastMigration(migrate)) !== latestMigration) {
      throw new BackupError('There is no album of this version here. Start the app once, then try again.');
    }
    const deps = { db, files, now: Date.now };
    const belonging = await belongingOf(deps);
    const scan = await scanStore(deps, ANY_AGE, () => true);
    if (scan === null) return;
    say(`${plural(scan.files, 'file')} in the photo store, ${scan.strays} of them belong to no memory.`);
    if (scan.unknownCouples > 0)
      say(`They are of ${plural(scan.unknownCouples, 'couple')} that the database does not know.`);
    const reason = belonging === 'same' || belonging === 'unclaimed' ? stopReasonOf(scan) : belonging;
    if (option === '--confirm') {
      await confirmStrays(deps, scan);
      say(`Confirmed: the sweep goes on within the hour, and deletes these ${scan.strays} thirty days from now.`);
    } else if (reason === null) say('Nothing stops the sweep.');
    else {
      say(`The sweep is stopped: ${STOP_REASONS[reason]}.`);
      process.exitCode = 1;
    }
  });
});
