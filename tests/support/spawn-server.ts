import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestStorage } from './engines.ts';

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
}

/** Starts a server and waits for its line 'Our Love Story is ready at …'. Throws with its output if it ends before. */
export async function spawnServer(
  storage: TestStorage,
  { env = {}, dieAt }: SpawnOptions = {},
): Promise<SpawnedServer> {
  const entry = dieAt === undefined ? '../../src/app/server/main.ts' : './crash-at-step.ts';
  const child = spawn(process.execPath, [join(import.meta.dirname, entry)], {
    // Without this process's environment, which may configure another server.
    env: {
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
  const { url, output } = await untilReady(child);
  return {
    url,
    pid: child.pid ?? -1,
    output,
    ended,
    kill: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

function untilReady(child: ChildProcess): Promise<{ url: string; output: () => string }> {
  let text = '';
  const output = () => text;
  return new Promise((done, failed) => {
    const listen = (part: string) => {
      text += part;
      const url = /ready at (\S+)\n/.exec(text)?.[1];
      if (url !== undefined) done({ url, output });
    };
    child.stdout?.setEncoding('utf8').on('data', listen);
    child.stderr?.setEncoding('utf8').on('data', listen);
    child.on('error', failed);
    child.on('close', (code) => failed(new Error(`The server ended with ${code} before it was ready:\n${text}`)));
  });
}
