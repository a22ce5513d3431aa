import { resolve } from 'node:path';
import { type Config, ConfigError, readConfig } from '../../src/base/server/config.ts';
import { type Found, findDb } from '../../src/base/server/db/open.ts';
import type { Files } from '../../src/base/server/files/files.ts';
import { openFiles } from '../../src/base/server/files/open.ts';
import { BackupError } from '../../src/keeping/server/backup/backup-error.ts';

/** The album that the variables lead to, as a command works on it beside the app. */
export interface Album extends Found {
  readonly config: Config;
  readonly files: Files;
}

/** Opens the album, and leaves its tables as they are. */
export async function withAlbum<T>(work: (album: Album) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const found = findDb(config);
  try {
    return await work({ ...found, config, files: await openFiles(config) });
  } finally {
    await found.db.close();
  }
}

/** A path as it was typed: npm runs its scripts in the project's folder, and says where they were called. */
export function typedPath(path: string | undefined, usage: string): string {
  if (path === undefined || path === '') throw new BackupError(`Usage: ${usage}`);
  return resolve(process.env.INIT_CWD ?? '.', path);
}

/** Runs a command; what a person can mend is told in one line, and ends it with 1. */
export async function command(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isPlain = error instanceof BackupError || error instanceof ConfigError;
    process.stderr.write(
      `${isPlain ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}

/** Says a line on standard output. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The address under which the app is reached, as far as the variables say it. */
export function addressOf({ publicUrl, host, port }: Config): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
