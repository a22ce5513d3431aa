import { createInterface } from 'node:readline/promises';
import {
  type AccountId,
  createOperatorRecovery,
  operatorPasswordFault,
  resetPassword as setPassword,
} from '../../src/auth/server/recovery/operator-recovery.ts';
import { hashPassword } from '../../src/auth/server/sign-in/passwords.ts';
import { appUrl, CommandError, printLine } from '../lib/command.ts';
import type { Stores } from '../lib/stores.ts';
import { type AdminCommand, userNamed } from './admin-command.ts';

/**
 * Prints a link with which a user who is locked out sets a new password. With `--password`, reads the new password from
 * standard input and sets it.
 */
export const resetPassword: AdminCommand = {
  usage: 'reset-password EMAIL [--password]',
  arguments: 1,
  options: ['password'],
  run: async (stores, input) => {
    const user = await userNamed(stores, input);
    if (input.password) {
      await setPasswordTyped(stores, user);
      printLine(input.json ? JSON.stringify({ changed: true }) : 'Password changed. All devices are signed out.');
      return;
    }
    const url = appUrl(stores.config) + (await stores.db.write((tx) => createOperatorRecovery(tx, user, Date.now())));
    printLine(input.json ? JSON.stringify({ url }) : `This link works once and expires in one hour: ${url}`);
  },
};

async function setPasswordTyped({ db, config }: Stores, user: AccountId): Promise<void> {
  if (process.stdin.isTTY) process.stderr.write('New password (visible as you type): ');
  const lines = createInterface({ input: process.stdin });
  const { value: password = '' } = (await lines[Symbol.asyncIterator]().next()) as { value?: string };
  lines.close();
  const fault = operatorPasswordFault(password);
  if (fault !== null) throw new CommandError(`${fault}.`);
  const passwordHash = await hashPassword(password);
  await db.write((tx) => setPassword({ config, now: Date.now }, tx, user, passwordHash));
}
