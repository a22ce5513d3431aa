import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that runs in the background until it is stopped. */
export interface Daemon {
  readonly pid: number;
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
  /** The signal that it gets when this process ends; KILL by default. Its own children get none. */
  readonly deathSignal?: 'KILL' | 'TERM';
}

/** The user `nobody` on Linux, for programs that refuse to run as root. Undefined if this process isn't root. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Starts a program. On Linux the kernel kills it when this process ends for any reason. */
export function startDaemon(program: string, args: readonly string[], options: DaemonOptions = {}): Daemon {
  const [command, ...rest] = withParentDeathSignal([program, ...args], options);
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
    pid: child.pid ?? -1,
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

/** The command that runs another one as a user, and on Linux lets it end when this process ends for any reason. */
export function withParentDeathSignal(
  command: [string, ...string[]],
  { user, deathSignal = 'KILL' }: Pick<DaemonOptions, 'user' | 'deathSignal'> = {},
): [string, ...string[]] {
  const drop = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
  if (hasSetpriv) return ['setpriv', ...drop, '--pdeathsig', deathSignal, ...command];
  return user ? ['setpriv', ...drop, ...command] : command;
}

/**
 * Polls every `everyMs` until `isReady` is true. Throws with the daemon's output if it exits first or takes two minutes.
 */
export async function untilReady(
  daemon: Daemon,
  isReady: () => Promise<boolean>,
  what: string,
  everyMs = 20,
): Promise<void> {
  let hasEnded = false;
  void daemon.ended.then(() => {
    hasEnded = true;
  });
  const deadline = performance.now() + 120_000;
  while (!(await isReady().catch(() => false))) {
    if (hasEnded || performance.now() > deadline) throw new Error(`${what} did not start:\n${daemon.output()}`);
    await sleep(everyMs);
  }
}

/** Whether a program accepts connections at a port of 127.0.0.1. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => done(true)).on('error', () => done(false));
    socket.on('connect', () => socket.destroy());
  });
}
