import { describeContents } from '../src/keeping/manifest.ts';
import { recordVerification, verifyBackup } from '../src/keeping/server/backup/verify-backup.ts';
import { pathArgument, printLine, runCommand } from './lib/command.ts';
import { becomeOwner } from './lib/stores.ts';

/** `npm run verify -- DIR [BACKUP]`: restores a backup to a temporary database and reads every file of it. */
await runCommand(async () => {
  const root = pathArgument(process.argv[2], 'npm run verify -- DIR [BACKUP]');
  becomeOwner(root);
  const verification = await verifyBackup(root, process.argv[3] ?? null);
  const { manifest, faults } = verification;
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  for (const name of manifest.damaged)
    process.stderr.write(`Photograph ${name} was missing or damaged before the backup was made.\n`);
  if (faults.length === 0) printLine(`Backup OK: ${describeContents(manifest)} from ${manifest.createdAt}`);
  else process.exitCode = 1;
  await recordVerification(root, verification, Date.now()).catch((error: unknown) => {
    // The folder may be read-only.
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Could not record the result in the backup folder: ${reason}\n`);
  });
});
