import { createInterface } from 'node:readline/promises';
import { adminPasswordFault, createRecovery, resetPassword } from '../src/auth/server/recovery/admin.ts';
import { hashPassword } from '../src/auth/server/sign-in/passwords.ts';
import { findAccount } from '../src/auth/server/store.ts';
import { appUrl, CommandError, print, requireMigrated, runCommand, type Stores, withAlbum } from './lib/command.ts';

const USAGE = 'Usage: npm run admin -- reset-password EMAIL [--password]';

/**
 * `npm run admin -- reset-password EMAIL`: prints a link with which a user who is locked out sets a new password. With
 * `--password`, reads the new password from standard input and sets it.
 */
await runCommand(async () => {
  const [task, email, option] = process.argv.slice(2);
  if (task !== 'reset-password' || email === undefined || (option !== undefined && option !== '--password')) {
    throw new CommandError(USAGE);
  }
  await withAlbum(async (stores) => {
    await requireMigrated(stores.migrate);
    const account = await findAccount(stores.db.read, email);
    if (!account) throw new CommandError(`No account has the email address ${email}.`);
    const user = { coupleId: account.coupleId, userId: account.id };
    if (option === '--password') await setPassword(stores, user);
    else {
      const path = await stores.db.write((tx) => createRecovery(tx, user, Date.now()));
      print(`This link works once and expires in one hour: ${appUrl(stores.config)}${path}`);
    }
  });
});

async function setPassword({ db }: Stores, user: Parameters<typeof resetPassword>[1]): Promise<void> {
  if (process.stdin.isTTY) process.stderr.write('New password (visible as you type): ');
  const lines = createInterface({ input: process.stdin });
  const { value: password = '' } = (await lines[Symbol.asyncIterator]().next()) as { value?: string };
  lines.close();
  const fault = adminPasswordFault(password);
  if (fault !== null) throw new CommandError(`${fault}.`);
  const passwordHash = await hashPassword(password);
  await db.write((tx) => resetPassword(tx, user, passwordHash));
  print('Password changed. All devices are signed out.');
}
