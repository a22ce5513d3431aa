import { plural } from '../src/base/number-texts.ts';
import { deleteOrphans, findOrphans, recordOrphans } from '../src/memories/server/sweep/orphans.ts';
import { CommandError, printLine, runCommand } from './lib/command.ts';
import { requireMigrated, withAlbum } from './lib/stores.ts';

/**
 * `npm run orphans`: lists the stored files that no row names, with their bytes. `npm run orphans -- --delete NAME…`
 * deletes those that are named.
 */
await runCommand(async () => {
  const [option, ...names] = process.argv.slice(2);
  if (option !== undefined && (option !== '--delete' || names.length === 0)) {
    throw new CommandError('Usage: npm run orphans [-- --delete NAME…]');
  }
  await withAlbum(async ({ db, files, migrate }) => {
    await requireMigrated(migrate);
    const deps = { db, files, now: Date.now };
    if (option === '--delete') {
      const refused = await deleteOrphans(deps, names);
      if (refused !== null) throw new CommandError(`${refused} is not an unknown file. Nothing was deleted.`);
      printLine(`Deleted ${plural(names.length, 'file')}.`);
      return;
    }
    const found = { files: 0, bytes: 0 };
    for await (const { name, bytes } of findOrphans(deps)) {
      found.files += 1;
      found.bytes += bytes;
      printLine(`${name} ${bytes}`);
    }
    await recordOrphans(deps, found);
    printLine(`${plural(found.files, 'unknown file')}, ${plural(found.bytes, 'byte')}.`);
  });
});
