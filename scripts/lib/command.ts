import { resolve } from 'node:path';
import { IncompatibleTables } from '../../src/base/server/db/compatibility.ts';
import { type Config, ConfigError, httpUrl } from '../../src/base/server/process/config.ts';
import { explainFault } from '../../src/base/server/process/explain-fault.ts';
import { BackupError } from '../../src/keeping/server/backup/backup-error.ts';

/** An error that the user can fix. `runCommand` prints its message without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Resolves a path from the command line. npm runs scripts in the project's folder and passes the folder in which the
 * user called it as `INIT_CWD`.
 * @throws CommandError with the usage if the path is missing
 */
export function pathArgument(path: string | undefined, usage: string): string {
  if (path === undefined || path === '') throw new CommandError(`Usage: ${usage}`);
  return resolve(process.env.INIT_CWD ?? '.', path);
}

/** Runs a command. Prints an error that the user can fix as one line, any other with its stack, and exits with 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  // Without a listener, such an error would end the process. `printLine` reports it.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`);
    process.exitCode = 1;
  }
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // It may quote an archive that somebody else has made.
  if (error instanceof BackupError) return [error.message, ...error.list].map(oneLine).join('\n');
  const isExpected = [CommandError, ConfigError, IncompatibleTables].some((kind) => error instanceof kind);
  return isExpected ? error.message : (explainFault(error) ?? error.stack ?? error.message);
}

/** Words of somebody else on one line, without what would control the terminal or forge another line. */
export function oneLine(words: string): string {
  return words.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

/** Prints a line on standard output; on standard error if nobody reads that any more, as after `| head -1`. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`, (error) => {
    if (error) process.stderr.write(`${text}\n`);
  });
}

/** The app's URL: `PUBLIC_URL`, or else the address it listens on. */
export function appUrl({ publicUrl, host, port }: Config): string {
  return publicUrl ?? httpUrl(host, port);
}
