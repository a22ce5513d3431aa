import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * Installs packages of Debian or Ubuntu where this user may: as root, or by a sudo that asks for no password. No
 * service is started, and no question asked. What it says goes to standard error, and only where it fails.
 *
 * @param {readonly string[]} packages
 * @returns {boolean} whether they are installed now
 */
export function installDebianPackages(packages) {
  const prefix = rootPrefix();
  if (prefix === undefined) return false;
  process.stderr.write(`Installing ${packages.join(', ')} with apt-get …\n`);
  const quietly = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'apt-get', '-qq'];
  run([...quietly, 'update']);
  const { status, stdout, stderr } = run([...quietly, 'install', '-y', '--no-install-recommends', ...packages]);
  if (status !== 0) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  return status === 0;
}

/** What makes a command root's; undefined where there is no apt-get, or it is not for us. */
function rootPrefix() {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get') || !isDebian()) return undefined;
  if (process.getuid?.() === 0) return [];
  return run(['sudo', '-n', 'true']).status === 0 ? ['sudo', '-n'] : undefined;
}

function isDebian() {
  return (
    existsSync('/etc/os-release') && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
  );
}

/** @param {readonly string[]} command */
function run([program = '', ...args]) {
  return spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
