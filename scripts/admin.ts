import { createInterface } from 'node:readline/promises';
import { adminPasswordFault, createRecovery, resetPassword } from '../src/auth/server/recovery/admin.ts';
import { hashPassword } from '../src/auth/server/sign-in/passwords.ts';
import { findAccount } from '../src/auth/server/store.ts';
import { latestMigration } from '../src/base/server/db/migrations/index.ts';
import { lastMigration } from '../src/base/server/db/open.ts';
import { BackupError } from '../src/keeping/server/backup/backup-error.ts';
import { type Album, addressOf, command, say, withAlbum } from './lib/command.ts';

const USAGE = 'Usage: npm run admin -- reset-password EMAIL [--password]';

/**
 * `npm run admin -- reset-password EMAIL`: a link by which somebody locked out sets a new password; with `--password`
 * the new password is read from standard input and set at once.
 */
await command(async () => {
  const [task, email, option] = process.argv.slice(2);
  if (task !== 'reset-password' || email === undefined || (option !== undefined && option !== '--password')) {
    throw new BackupError(USAGE);
  }
  await withAlbum(async (album) => {
    if ((await lastMigration(album.migrate)) !== latestMigration) {
      throw new BackupError('There is no album of this version here. Start the app once, then try again.');
    }
    const account = await findAccount(album.db.read, email);
    if (!account) throw new BackupError(`Nobody has the email ${email} here.`);
    const whose = { coupleId: account.coupleId, userId: account.id };
    if (option === '--password') await setPassword(album, whose);
    else {
      const { path } = await album.db.write((tx) => createRecovery(tx, whose, Date.now()));
      say(`Good once, for one hour: ${addressOf(album.config)}${path}`);
    }
  });
});

async function setPassword({ db }: Album, whose: Parameters<typeof resetPassword>[1]): Promise<void> {
  if (process.stdin.isTTY) process.stderr.write('New password (it will be seen): ');
  const lines = createInterface({ input: process.stdin });
  const { value: password = '' } = (await lines[Symbol.asyncIterator]().next()) as { value?: string };
  lines.close();
  const fault = adminPasswordFault(password);
  if (fault !== null) throw new BackupError(`${fault}.`);
  const passwordHash = await hashPassword(password);
  await db.write((tx) => resetPassword(tx, whose, passwordHash));
  say('The password is set. All devices are signed out.');
}
