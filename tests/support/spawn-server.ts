import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestStorage } from './engines.ts';

/** The real server as a process of its own, as `npm start` runs it. */
export interface SpawnedServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly pid: number;
  /** What it has output on both streams so far. */
  output(): string;
  /** Ends it and waits; the answer is its exit code, null where the signal ended it. */
  kill(signal?: NodeJS.Signals): Promise<number | null>;
  /** Fulfilled when it has ended by itself or by a signal. */
  readonly ended: Promise<number | null>;
}

export interface SpawnOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Ends it as a power cut would (SIGKILL) the moment it reaches this step of keeping a photograph. */
  readonly dieAt?: string;
}

/** Starts a server on a place and waits for its line 'Our Love Story is ready at …'; throws what it output otherwise. */
export async function spawnServer(
  storage: TestStorage,
  { env = {}, dieAt }: SpawnOptions = {},
): Promise<SpawnedServer> {
  const entry = dieAt === undefined ? '../../src/app/server/main.ts' : './crash-at-step.ts';
  const child = spawn(process.execPath, [join(import.meta.dirname, entry)], {
    // Nothing of this shell's own variables leads it astray.
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
