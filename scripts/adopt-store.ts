import { MISMATCHES } from '../src/base/server/files/store-identity.ts';
import { describeStorage } from '../src/base/server/process/describe-storage.ts';
import { adoptForeignStore, compareStore } from '../src/memories/server/sweep/adopt-foreign-store.ts';
import { CommandError, printLine, runCommand } from './lib/command.ts';
import { requireMigrated, withAlbum } from './lib/stores.ts';

/**
 * `npm run adopt-store`: compares the database with the photo store. With `--yes`, a store that belongs to another database
 * or to a newer state of this one belongs to this database from now on.
 */
await runCommand(async () => {
  const [option, ...more] = process.argv.slice(2);
  if ((option !== undefined && option !== '--yes') || more.length > 0) {
    throw new CommandError('Usage: npm run adopt-store [-- --yes]');
  }
  await withAlbum(async ({ config, db, files, migrate }) => {
    await requireMigrated(migrate);
    const deps = { db, files, now: Date.now };
    const { mismatch, photographs, stored } = await compareStore(deps);
    printLine(describeStorage(config));
    printLine(`The store has ${stored} of the ${photographs} photographs of the database.`);
    if (mismatch === null) {
      printLine('They belong together. There is nothing to do.');
    } else if (option === undefined) {
      printLine(MISMATCHES[mismatch]);
      printLine('If a variable names the wrong place, correct it. docs/operating.md says what else to check.');
      process.exitCode = 1;
    } else {
      await adoptForeignStore(deps);
      printLine('From now on, this photo store belongs to this database.');
    }
  });
});
