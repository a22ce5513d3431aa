import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * Installs Debian or Ubuntu packages, as root or with passwordless sudo. Starts no service and asks no questions. Prints
 * apt's output on standard error only if it fails.
 *
 * @param {readonly string[]} packages
 * @param {readonly string[]} services those that the packages add; systemd must not start them, now or at the next boot
 * @returns {boolean} whether they are installed now
 */
export function installDebianPackages(packages, services = []) {
  const sudo = asRoot();
  if (sudo === undefined) return false;
  process.stderr.write(`Installing ${packages.join(', ')} with apt-get …\n`);
  const aptGet = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'apt-get', '-qq'];
  run([...aptGet, 'update']);
  const { status, stdout, stderr } = run([...aptGet, 'install', '-y', '--no-install-recommends', ...packages]);
  if (status !== 0) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  // Without systemd, the run level above keeps them from starting.
  if (existsSync('/run/systemd/system')) {
    for (const service of services) run([...sudo, 'systemctl', 'disable', '--now', service]);
  }
  return status === 0;
}

/**
 * What installing these packages needs, as apt-get says it: 'Need to get 93.2 MB of archives.' and 'After this operation,
 * 318 MB of additional disk space will be used.' Installs nothing, but updates the lists of packages.
 *
 * @param {readonly string[]} packages
 * @returns {readonly string[] | undefined} undefined if they can't be installed here
 */
export function estimateDebianPackages(packages) {
  const sudo = asRoot();
  if (sudo === undefined) return undefined;
  run([...sudo, 'apt-get', '-qq', 'update']);
  const command = [...sudo, 'env', 'LC_ALL=C', 'apt-get', 'install', '--print-uris', '-y', '--no-install-recommends'];
  const { stdout, status } = run([...command, ...packages]);
  const said = (stdout ?? '').split('\n').filter((line) => /^(Need to get|After this operation)/.test(line));
  return status !== 0 || said.length === 0 ? undefined : said;
}

/** The command prefix that runs a command as root; undefined without apt-get or the permission. */
function asRoot() {
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
