import { createOperatorRecovery } from '../src/auth/server/recovery/operator-recovery.ts';
import type { UserId } from '../src/base/ids.ts';
import { plural } from '../src/base/number-texts.ts';
import { migrateTo } from '../src/base/server/db/migrate.ts';
import { importStory } from '../src/keeping/server/import/import-story.ts';
import { passedQuotas } from '../src/keeping/server/integrity/passed-quotas.ts';
import type { StoryMemory } from '../src/keeping/story.ts';
import { appUrl, oneLine, pathArgument, printLine, runCommand } from './lib/command.ts';
import { withStores } from './lib/stores.ts';

/** `npm run import -- FILE`: imports an export and prints a link for each partner to set a password. */
await runCommand(async () => {
  const file = pathArgument(process.argv[2], 'npm run import -- FILE');
  let isStopped = false;
  // An interrupted import is rolled back before the process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopped = true));
  await withStores(async ({ db, files, config, migrate }) => {
    await migrateTo(migrate, null);
    const target = { db, files, now: Date.now, isStopped: () => isStopped };
    const { coupleId, story, missing, changed, notices } = await importStory(target, file);
    printLine(
      `Imported ${plural(story.dateIdeas.length, 'idea')}, ${plural(story.plannedDates.length, 'date')} and ${plural(story.memories.length, 'memory', 'memories')}.`,
    );
    for (const { memory, reason } of missing) {
      process.stderr.write(`Photograph ‘${nameOf(memory)}’ was not imported: ${reason}\n`);
    }
    for (const { memory, reason } of changed) {
      process.stderr.write(`Photograph ‘${nameOf(memory)}’ is damaged, and was imported as it is: ${reason}\n`);
    }
    for (const notice of notices) process.stderr.write(`${oneLine(notice)}\n`);
    const imported = [{ id: coupleId, quotaBytes: null }];
    for (const passed of await passedQuotas(db.read, imported, config.quotaBytes)) process.stderr.write(`${passed}\n`);
    for (const { id, displayName } of story.partners) {
      const user = { coupleId, userId: id as UserId };
      const path = await db.write((tx) => createOperatorRecovery(tx, user, Date.now()));
      printLine(`Password link for ${oneLine(displayName)}, valid for one hour: ${appUrl(config)}${path}`);
    }
  });
});

function nameOf({ caption, originalFileName }: StoryMemory): string {
  return oneLine(caption ?? originalFileName);
}
