import { describeContents, recordVerification, verify } from '../src/keeping/server/backup/verify.ts';
import { command, say, typedPath } from './lib/command.ts';

/** `npm run verify -- DIR [BACKUP]`: restores a backup to a temporary place, and reads every file of it. */
await command(async () => {
  const root = typedPath(process.argv[2], 'npm run verify -- DIR [BACKUP]');
  const verdict = await verify(root, process.argv[3] ?? null);
  const { manifest, faults } = verdict;
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  for (const name of manifest.damaged)
    process.stderr.write(`The photograph ${name} was lost or changed before the backup was made.\n`);
  if (faults.length === 0) say(`Whole: ${describeContents(manifest)}, as they were at ${manifest.createdAt}`);
  else process.exitCode = 1;
  await recordVerification(root, verdict, Date.now()).catch((error: unknown) => {
    // A copy on a disk that can only be read is verified all the same.
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The result could not be noted in the folder: ${reason}\n`);
  });
});
