import { restore } from '../src/keeping/server/backup/restore.ts';
import { describeContents } from '../src/keeping/server/backup/verify.ts';
import { command, say, typedPath, withAlbum } from './lib/command.ts';

/** `npm run restore -- DIR [BACKUP]`: puts a backup into the empty place that the variables name, of either engine. */
await command(async () => {
  const root = typedPath(process.argv[2], 'npm run restore -- DIR [BACKUP]');
  await withAlbum(async (album) => {
    const manifest = await restore(album, root, process.argv[3] ?? null);
    say(`Restored ${describeContents(manifest)} as they were at ${manifest.createdAt}. Everybody signs in anew.`);
  });
});
