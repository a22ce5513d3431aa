import { latestMigration } from '../src/base/server/db/migrations/index.ts';
import { lastMigration } from '../src/base/server/db/open.ts';
import { plural } from '../src/base/text.ts';
import { BackupError } from '../src/keeping/server/backup/backup-error.ts';
import { scrubAll } from '../src/keeping/server/integrity/scrub.ts';
import { command, say, withAlbum } from './lib/command.ts';

/** `npm run scrub`: reads every original, and tells of each that is no longer what was uploaded. */
await command(async () => {
  await withAlbum(async ({ db, files, config, migrate }) => {
    if ((await lastMigration(migrate)) !== latestMigration) {
      throw new BackupError('There is no album of this version here. Start the app once, then scrub.');
    }
    const silent = { error: () => undefined, warn: () => undefined };
    let damaged = 0;
    const count = await scrubAll({ db, files, config, now: Date.now, log: silent }, (photograph, finding) => {
      const name = `${photograph.coupleId}/${photograph.fileName}`;
      if (finding === 'repaired') say(`${name} was damaged, and was put back from the backup`);
      else {
        damaged += 1;
        process.stderr.write(`${name} is ${finding === 'lost' ? 'lost' : 'not as it was uploaded'}\n`);
      }
    });
    say(`Looked at ${plural(count, 'photograph')}: ${damaged === 0 ? 'all whole' : `${damaged} damaged`}`);
    if (damaged > 0) process.exitCode = 1;
  });
});
