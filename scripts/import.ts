import { createRecovery } from '../src/auth/server/recovery/admin.ts';
import type { UserId } from '../src/base/ids.ts';
import { migrateTo } from '../src/base/server/db/open.ts';
import { plural } from '../src/base/text.ts';
import { importStory } from '../src/keeping/server/import/import-story.ts';
import { addressOf, command, say, typedPath, withAlbum } from './lib/command.ts';

/** `npm run import -- FILE`: brings an export back, and makes a link for each partner to set a password. */
await command(async () => {
  const file = typedPath(process.argv[2], 'npm run import -- FILE');
  let isStopped = false;
  // What is half brought back is taken back before the process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopped = true));
  await withAlbum(async ({ db, files, config, migrate }) => {
    await migrateTo(migrate, null);
    const target = { db, files, now: Date.now, isStopped: () => isStopped };
    const { coupleId, story, missing, changed } = await importStory(target, file);
    say(
      `Brought back ${plural(story.dateIdeas.length, 'idea')}, ${plural(story.plannedDates.length, 'date')} and ${plural(story.memories.length, 'memory', 'memories')}.`,
    );
    for (const { memory, reason } of missing) {
      process.stderr.write(
        `The photograph of ${memory.caption ?? memory.originalFileName} is not brought back: ${reason}\n`,
      );
    }
    for (const { caption, originalFileName } of changed) {
      process.stderr.write(
        `The photograph of ${caption ?? originalFileName} was damaged already when it was exported.\n`,
      );
    }
    for (const { id, displayName } of story.partners) {
      const whose = { coupleId, userId: id as UserId };
      const { path } = await db.write((tx) => createRecovery(tx, whose, Date.now()));
      say(`${displayName} sets a password within the hour: ${addressOf(config)}${path}`);
    }
  });
});
