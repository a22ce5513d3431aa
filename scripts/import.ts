import { makeRecovery } from '../src/auth/server/admin.ts';
import type { UserId } from '../src/base/ids.ts';
import { migrateTo } from '../src/base/server/db/open.ts';
import { plural } from '../src/base/text.ts';
import { importStory } from '../src/keeping/server/import.ts';
import { addressOf, command, say, typedPath, withAlbum } from './lib/album.ts';

/** `npm run import -- FILE`: brings an export back, and makes a link for each partner to set a password. */
await command(async () => {
  const file = typedPath(process.argv[2], 'npm run import -- FILE');
  await withAlbum(async ({ db, files, config, migrate }) => {
    await migrateTo(migrate, null);
    const { coupleId, story, missing } = await importStory({ db, files }, file);
    say(
      `Brought back ${plural(story.dateIdeas.length, 'idea')}, ${plural(story.plannedDates.length, 'date')} and ${plural(story.memories.length, 'memory', 'memories')}.`,
    );
    for (const memory of missing) {
      process.stderr.write(`The export is without the photograph of ${memory.caption ?? memory.originalFileName}.\n`);
    }
    for (const { id, displayName } of story.partners) {
      const whose = { coupleId, userId: id as UserId };
      const { path } = await db.write((tx) => makeRecovery(tx, whose, Date.now()));
      say(`${displayName} sets a password within the hour: ${addressOf(config)}${path}`);
    }
  });
});
