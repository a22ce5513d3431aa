import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../lib/root.ts';

const run = promisify(execFile);

/** Images and containers of `npm run container`, apart from those of the user. */
const FOLDER = join(root, '.cache/containers');
const STORE = ['--storage-driver', 'overlay', '--root', join(FOLDER, 'storage'), '--runroot', join(FOLDER, 'run')];
const MOST_OUTPUT = 64 * 1024 * 1024;

/** The folder for what is made on the way. */
export function workFolder(): string {
  mkdirSync(FOLDER, { recursive: true });
  return FOLDER;
}

/** Runs a program and returns its standard output without the last line end. Throws with its errors if it fails. */
export async function outputOf(program: string, args: readonly string[]): Promise<string> {
  return (await run(program, args, { maxBuffer: MOST_OUTPUT })).stdout.trimEnd();
}

export function runBuildah(...args: string[]): Promise<string> {
  return outputOf('buildah', [...STORE, ...args]);
}

export function runPodman(...args: string[]): Promise<string> {
  const command = ['podman', ...STORE, '--cgroup-manager=cgroupfs', ...args];
  const [program = '', ...rest] = hasBothCgroups() ? [...WITH_ONE_CGROUP, ...command] : command;
  return outputOf(program, rest);
}

/** Whether this machine has version 1 and 2 of control groups, which crun doesn't support. */
function hasBothCgroups(): boolean {
  return existsSync('/sys/fs/cgroup/unified');
}

/** Runs a command where only version 2 can be seen. */
const WITH_ONE_CGROUP = [
  'unshare',
  '--mount',
  'sh',
  '-c',
  'umount -R /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup && exec "$@"',
  'sh',
];
