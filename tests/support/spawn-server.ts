import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { SERVER_ENTRY, SERVER_ENV, SERVER_FLAGS } from '../../scripts/lib/server-launch-settings.ts';
import { withParentDeathSignal } from './daemons.ts';
import type { TestStorage } from './test-storage.ts';

/** The real server in its own process, as `npm start` runs it. */
export interface SpawnedServer {
  /** Without a trailing slash. */
  readonly url: string;
  readonly pid: number;
  /** Its standard output and error so far. */
  output(): string;
  /** Sends a signal and waits. Returns the exit code, or null if the signal ended it. */
  kill(signal?: NodeJS.Signals): Promise<number | null>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<number | null>;
}

export interface SpawnOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The step of storing a photograph at which it kills itself with SIGKILL. */
  readonly dieAt?: string;
  /** Whether it prints each step of storing a photograph: 'step: decoded'. */
  readonly printSteps?: boolean;
  /** Whether it may send reminders to a push service on this machine. */
  readonly localPush?: boolean;
}

/** A server that may not be ready yet. `ready` is its URL. It rejects with the server's output if the server ends before. */
export interface StartingServer extends Omit<SpawnedServer, 'url'> {
  readonly ready: Promise<string>;
}

/** Starts a server and waits for its line 'Our Love Story is ready at …'. Throws with its output if it ends before. */
export async function spawnServer(storage: TestStorage, options: SpawnOptions = {}): Promise<SpawnedServer> {
  const { ready, ...server } = startServer(storage, options);
  return { ...server, url: await ready };
}

/** Starts a server without waiting. */
export function startServer(storage: TestStorage, options: SpawnOptions = {}): StartingServer {
  const { env = {}, dieAt } = options;
  const [command, ...args] = withParentDeathSignal([process.execPath, ...SERVER_FLAGS, entryOf(options)]);
  const child = spawn(command, args, {
    // Without this process's environment, which may configure another server.
    env: {
      ...SERVER_ENV,
      PATH: process.env.PATH,
      REGISTRATION: 'open',
      LOG_LEVEL: 'warn',
      PORT: '0',
      ...storage.env,
      ...env,
      DIE_AT: dieAt,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((done) => child.on('close', done));
  return {
    ...untilReady(child),
    pid: child.pid ?? -1,
    ended,
    kill: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** The module to run: the built server, or one that does something more and runs from the sources. */
function entryOf({ dieAt, printSteps, localPush }: SpawnOptions): string {
  const here = (name: string) => join(import.meta.dirname, name);
  if (dieAt !== undefined) return here('server-crashing-at-step.ts');
  if (printSteps) return here('server-printing-steps.ts');
  return localPush ? here('cluster/loopback-push-node.ts') : SERVER_ENTRY;
}

function untilReady(child: ChildProcess): { output: () => string; ready: Promise<string> } {
  let text = '';
  const ready = new Promise<string>((done, failed) => {
    const listen = (part: string) => {
      text += part;
      const url = /ready at (\S+)\n/.exec(text)?.[1];
      if (url !== undefined) done(url);
    };
    child.stdout?.setEncoding('utf8').on('data', listen);
    child.stderr?.setEncoding('utf8').on('data', listen);
    child.on('error', failed);
    child.on('close', (code) => failed(new Error(`The server ended with ${code} before it was ready:\n${text}`)));
  });
  return { output: () => text, ready };
}
