import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that runs beside the tests until it is stopped. */
export interface Daemon {
  /** Ends it and waits until it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** What it has output so far on both its streams, the last 20,000 characters. */
  readonly output: () => string;
  /** Fulfilled with its exit code, or with null where a signal ended it. */
  readonly ended: Promise<number | null>;
}

export interface DaemonOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Run as this user, where we are root and the program refuses to be. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** Starts a program. On Linux the kernel ends it with this process, however that ends. */
export function startDaemon(program: string, args: readonly string[], options: DaemonOptions = {}): Daemon {
  const [command, ...rest] = boundToUs([program, ...args], options.user);
  const child = spawn(command, rest, {
    cwd: '/',
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own group: a Ctrl-C in the terminal is for us, and we stop it in good order.
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
    // It never started: there is nothing to end.
    child.on('error', () => done(127));
  });
}

const canBind = process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;

function boundToUs(command: [string, ...string[]], user: DaemonOptions['user']): [string, ...string[]] {
  const drop = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
  if (canBind) return ['setpriv', ...drop, '--pdeathsig', 'KILL', ...command];
  return user ? ['setpriv', ...drop, ...command] : command;
}

/** Asks again and again until it is so; throws with what the daemon output where it ends or takes too long. */
export async function untilReady(daemon: Daemon, isReady: () => Promise<boolean>, what: string): Promise<void> {
  let over = false;
  void daemon.ended.then(() => {
    over = true;
  });
  const deadline = performance.now() + 120_000;
  while (!(await isReady().catch(() => false))) {
    if (over || performance.now() > deadline) throw new Error(`${what} did not start:\n${daemon.output()}`);
    await sleep(20);
  }
}

/** Ports of 127.0.0.1 that nobody listens on, below those which the system hands out by itself. */
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
