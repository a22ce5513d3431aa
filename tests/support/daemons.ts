import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that runs in the background until it is stopped. */
export interface Daemon {
  /** Sends it a signal and waits until it exits. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** The last 20,000 characters of its standard output and error. */
  readonly output: () => string;
  /** Resolves with its exit code, or null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

export interface DaemonOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** The user to run it as, for programs that refuse to run as root. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** Starts a program. On Linux the kernel kills it when this process ends for any reason. */
export function startDaemon(program: string, args: readonly string[], options: DaemonOptions = {}): Daemon {
  const [command, ...rest] = withParentDeathSignal([program, ...args], options.user);
  const child = spawn(command, rest, {
    cwd: '/',
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, so that Ctrl-C reaches only this process, which stops it.
    detached: true,
  });
  let output = '';
  const listen = (text: string) => {
    output = (output + text).slice(-20_000);
  };
  child.stdout.setEncoding('utf8').on('data', listen);
  child.stderr.setEncoding('utf8').on('data', listen);
  const ended = whenEnded(child);
  return {
    ended,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
    },
  };
}

function whenEnded(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => {
    child.on('exit', done);
    // It did not start.
    child.on('error', () => done(127));
  });
}

const hasSetpriv = process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;

function withParentDeathSignal(command: [string, ...string[]], user: DaemonOptions['user']): [string, ...string[]] {
  const drop = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
  if (hasSetpriv) return ['setpriv', ...drop, '--pdeathsig', 'KILL', ...command];
  return user ? ['setpriv', ...drop, ...command] : command;
}

/** Polls until `isReady` is true. Throws with the daemon's output if it exits first or takes two minutes. */
export async function untilReady(daemon: Daemon, isReady: () => Promise<boolean>, what: string): Promise<void> {
  let hasEnded = false;
  void daemon.ended.then(() => {
    hasEnded = true;
  });
  const deadline = performance.now() + 120_000;
  while (!(await isReady().catch(() => false))) {
    if (hasEnded || performance.now() > deadline) throw new Error(`${what} did not start:\n${daemon.output()}`);
    await sleep(20);
  }
}

/** Finds free ports of 127.0.0.1, below the range that the system assigns by itself. */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    if (!found.includes(port) && (await isFree(port))) found.push(port);
  }
  return found;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
