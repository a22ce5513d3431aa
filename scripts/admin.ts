import { parseArgs } from 'node:util';
import type { AdminCommand, AdminInput } from './admin/admin-command.ts';
import { deleteCouple } from './admin/delete.ts';
import { list } from './admin/list.ts';
import { mailTest } from './admin/mail-test.ts';
import { quota } from './admin/quota.ts';
import { resetPassword } from './admin/reset-password.ts';
import { resume } from './admin/resume.ts';
import { show } from './admin/show.ts';
import { signOut } from './admin/sign-out.ts';
import { suspend } from './admin/suspend.ts';
import { CommandError, runCommand } from './lib/command.ts';
import { requireMigrated, withAlbum } from './lib/stores.ts';

const COMMANDS: Readonly<Record<string, AdminCommand>> = {
  list,
  show,
  quota,
  suspend,
  resume,
  'sign-out': signOut,
  'reset-password': resetPassword,
  delete: deleteCouple,
  'mail-test': mailTest,
};

const USAGE = [
  'Usage: npm run admin -- COMMAND [--json]',
  ...Object.values(COMMANDS).map(({ usage }) => `  ${usage}`),
].join('\n');

/** `npm run admin`: what the operator does about couples and their users, also while the server runs. */
await runCommand(async () => {
  const { command, input } = readArguments(process.argv.slice(2));
  await withAlbum(async (stores) => {
    await requireMigrated(stores.migrate);
    await command.run(stores, input);
  });
});

/** @throws CommandError with the usage */
function readArguments(args: readonly string[]): { readonly command: AdminCommand; readonly input: AdminInput } {
  const { values, positionals } = parse(args);
  const [name = '', ...rest] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const { json = false, yes = false, password = false } = values;
  if (!command || rest.length !== command.arguments) throw new CommandError(USAGE);
  const isUnknown = (option: 'yes' | 'password', isGiven: boolean) => isGiven && !command.options.includes(option);
  if (isUnknown('yes', yes) || isUnknown('password', password)) throw new CommandError(USAGE);
  return { command, input: { arguments: rest, json, yes, password } };
}

function parse(args: readonly string[]) {
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: flag, yes: flag, password: flag },
    });
  } catch {
    throw new CommandError(USAGE);
  }
}
