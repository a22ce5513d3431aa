import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../src/base/server/db/faults.ts';

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

/** A started program, and a promise for when it is ready, which rejects if it ends before. */
interface Launched {
  readonly daemon: Pick<Daemon, 'pid' | 'output' | 'ended'>;
  readonly ready: Promise<unknown>;
}

type Launch = () => Launched;

/** One program of a cluster, which can be killed, paused, and started again. */
export class ClusterPart {
  readonly name: string;
  /** `host:port`. */
  readonly address: string;
  readonly #launch: Launch;
  #daemon: Launched['daemon'] | null = null;

  constructor(name: string, address: string, launch: Launch) {
    this.name = name;
    this.address = address;
    this.#launch = launch;
  }

  /** Starts it, for the first time or again after its end, and waits until it is ready. */
  async start(): Promise<void> {
    const { daemon, ready } = this.#launch();
    this.#daemon = daemon;
    await ready;
  }

  /** Resolves when the program has ended. */
  get ended(): Promise<number | null> {
    return this.#running.ended;
  }

  get output(): string {
    return this.#running.output();
  }

  /** The process ids of the program. */
  pids(): number[] {
    return this.#daemon === null ? [] : [this.#daemon.pid];
  }

  /** Sends a signal to all its processes and waits until the program has ended. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    sendSignal(this.pids(), signal);
    await this.#daemon?.ended;
  }

  /** Suspends all its processes, as if its machine stood still. */
  pause(): void {
    sendSignal(this.pids(), 'SIGSTOP');
  }

  resume(): void {
    sendSignal(this.pids(), 'SIGCONT');
  }

  get #running(): Launched['daemon'] {
    if (this.#daemon === null) throw new Error(`${this.name} was not started`);
    return this.#daemon;
  }
}

/** Sends a signal to the processes that still exist. */
export function sendSignal(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    // A program that did not start has the number -1, which would mean every process.
    if (pid <= 0) continue;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** The ports from which `freePorts` chooses, below those that the system assigns by itself. */
const PORTS = { first: 12_000, count: 18_000 } as const;

/** A folder with a file for each port that a test process has reserved, which holds the id of the process. */
const RESERVATIONS = process.env.TEST_PORTS ?? join(tmpdir(), 'our-love-story-ports');

/**
 * Finds free ports of 127.0.0.1 and reserves them until this process ends: what listens on one may be restarted, and other
 * tests look for ports at the same time.
 */
export async function freePorts(count: number): Promise<number[]> {
  await mkdir(RESERVATIONS, { recursive: true });
  const found: number[] = [];
  while (found.length < count) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if ((await reserve(port)) && (await isFree(port))) found.push(port);
  }
  return found;
}

/** Returns false if the port is reserved already. A reservation whose process has ended is removed for the next time. */
async function reserve(port: number): Promise<boolean> {
  const file = join(RESERVATIONS, String(port));
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const owner = await readFile(file, 'utf8').catch(() => '');
    if (owner !== '' && !isRunning(Number(owner))) await rm(file, { force: true });
    return false;
  }
}

/** Returns whether a process exists, also if it belongs to another user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
