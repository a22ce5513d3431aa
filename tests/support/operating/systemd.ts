import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../scripts/lib/root.ts';
import { type Daemon, startDaemon, untilReady } from '../daemons.ts';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, 'boot-systemd.sh');

/** The targets that the unit of a service refers to. The real ones would start the machine's other services too. */
const TARGETS = ['started', 'sysinit', 'basic', 'shutdown', 'network-online', 'multi-user'];

/** Whether systemd's tools are installed. */
export function hasSystemd(): boolean {
  return existsSync('/usr/bin/systemd-analyze') && existsSync('/lib/systemd/systemd');
}

/** Whether this machine lets this process run another systemd: root may, on Linux with namespaces and overlays. */
export function canBootSystemd(): boolean {
  if (!hasSystemd() || process.getuid?.() !== 0 || !existsSync('/usr/bin/npm')) return false;
  const folder = mkdtempSync(join(tmpdir(), 'our-love-story-boot-'));
  const mounts = `mount -t tmpfs tmpfs ${folder} && mkdir ${folder}/u ${folder}/w ${folder}/m && mount -t overlay overlay -o lowerdir=/,upperdir=${folder}/u,workdir=${folder}/w ${folder}/m`;
  const options = ['--mount', '--pid', '--fork', '--uts', '--ipc', '--cgroup', '--user', '--map-root-user'];
  const namespaces = spawnSync('unshare', [...options, 'true']).status === 0;
  const overlay = spawnSync('unshare', ['--mount', 'sh', '-c', mounts]).status === 0;
  rmSync(folder, { recursive: true });
  return namespaces && overlay;
}

/** A systemd that runs one service, apart from the machine's own. */
export interface Systemd {
  /** Runs a command as root where systemd is. Throws if it fails. */
  run(command: string, ...args: string[]): Promise<string>;
  /** What the service has written. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

export interface ServiceFiles {
  /** The text of `our-love-story.service`, and of the file that its `EnvironmentFile=` names. */
  readonly unit: string;
  readonly env: string;
}

/** Boots systemd with the app's service, and does not start the service yet. */
export async function bootSystemd({ unit, env }: ServiceFiles): Promise<Systemd> {
  const folder = mkdtempSync(join(tmpdir(), 'our-love-story-systemd-'));
  const [stage, units] = [join(folder, 'stage'), join(folder, 'units')];
  mkdirSync(stage);
  mkdirSync(join(units, 'our-love-story.service.d'), { recursive: true });
  for (const name of TARGETS) writeFileSync(join(units, `${name}.target`), '[Unit]\nDefaultDependencies=no\n');
  writeFileSync(join(units, 'our-love-story.service'), unit);
  writeFileSync(join(units, 'our-love-story.env'), env);
  // There is no journal.
  const output = ['[Service]', 'StandardOutput=append:/run/service.log', 'StandardError=append:/run/service.log'];
  writeFileSync(join(units, 'our-love-story.service.d', 'output.conf'), `${output.join('\n')}\n`);
  const user = /^User=(.+)$/m.exec(unit)?.[1] ?? '';
  const daemon = startDaemon('sh', [SCRIPT, stage, units, root, user]);
  const inside = (...command: string[]) => {
    const [first] = childrenOf(daemon.pid);
    if (first === undefined) throw new Error('systemd has ended');
    return run('nsenter', ['-t', String(first), '--mount', '--pid', '--uts', '--ipc', '--cgroup', '--', ...command]);
  };
  const systemd: Systemd = {
    run: async (command, ...args) => (await inside(command, ...args)).stdout,
    log: async () => (await inside('cat', '/run/service.log')).stdout,
    stop: () => end(daemon, folder),
  };
  const isReady = async () => (await systemd.run('systemctl', 'is-active', 'started.target')).trim() === 'active';
  await untilReady(daemon, isReady, 'systemd', 100).catch(async (error: unknown) => {
    await systemd.stop();
    throw error;
  });
  return systemd;
}

/** Kills systemd with everything that it runs, and removes its cgroups. */
async function end(daemon: Daemon, folder: string): Promise<void> {
  await daemon.stop('SIGKILL');
  for (const hierarchy of ['', '/unified', '/systemd']) {
    const group = `/sys/fs/cgroup${hierarchy}/our-love-story-${daemon.pid}`;
    if (existsSync(group)) removeGroup(group);
  }
  rmSync(folder, { recursive: true, force: true });
}

/** Removes a cgroup with those below it, whose processes may need a moment to end. */
function removeGroup(group: string): void {
  const remove = ['-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'];
  const deadline = performance.now() + 5_000;
  while (existsSync(group) && performance.now() < deadline) spawnSync('find', [group, ...remove]);
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);
}

/** Runs `systemd-analyze` on the text of a unit. Returns its exit code and its output. */
export function analyze(task: readonly string[], unit: string): { readonly code: number; readonly output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'our-love-story-unit-'));
  const file = join(folder, 'our-love-story.service');
  writeFileSync(file, unit);
  try {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...task, file], { encoding: 'utf8' });
    return { code: status ?? 1, output: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
