import { plural } from '../src/base/number-texts.ts';
import { scrubAll } from '../src/keeping/server/integrity/scrub.ts';
import { printLine, runCommand } from './lib/command.ts';
import { requireMigrated, withAlbum } from './lib/stores.ts';

/** `npm run scrub`: reads every original and reports those that are missing or changed since their upload. */
await runCommand(async () => {
  await withAlbum(async ({ db, files, config, migrate }) => {
    await requireMigrated(migrate);
    const silent = { error: () => undefined, warn: () => undefined };
    let damaged = 0;
    const count = await scrubAll({ db, files, config, now: Date.now, log: silent }, (photograph, finding) => {
      const name = `${photograph.coupleId}/${photograph.fileName}`;
      if (finding === 'repaired') printLine(`${name} was damaged and has been restored from the backup`);
      else {
        damaged += 1;
        process.stderr.write(`${name} is ${finding === 'lost' ? 'missing' : 'damaged'}\n`);
      }
    });
    printLine(`Checked ${plural(count, 'photograph')}: ${damaged === 0 ? 'all OK' : `${damaged} damaged`}`);
    if (damaged > 0) process.exitCode = 1;
  });
});
