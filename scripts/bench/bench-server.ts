import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Caller, type Partner, registerAda } from '../../tests/support/client.ts';
import { makeJpeg } from '../../tests/support/images.ts';
import { startPostgres } from '../../tests/support/postgres.ts';
import { planDate, upload } from '../../tests/support/uploads.ts';
import { SERVER_ENV, SERVER_FLAGS } from '../lib/server-process.ts';
import type { Figure } from './figure.ts';

/** What the server's process has used so far. */
interface Usage {
  /** Resident memory: the peak, and now. */
  readonly peakBytes: number;
  readonly residentBytes: number;
  /** Processor time of all its threads, in milliseconds. */
  readonly processorMs: number;
}

/** A server for one benchmark, with a signed-in user. */
export interface BenchServer {
  readonly url: string;
  readonly user: Partner;
  /** Calls one of the routes that fill the database; see `server.ts`. */
  fill(what: 'memories' | 'couples' | 'history', body: object): Promise<unknown>;
  usage(): Promise<Usage>;
  /** The same after a garbage collection. */
  usageWithoutGarbage(): Promise<Usage>;
  /** Waits until the server has made the previews. */
  untilIdle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a server on an empty SQLite database in a temporary folder, and registers its user.
 * @param env `DATABASE_URL` of an empty PostgreSQL instead
 */
export async function startBenchServer(env: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-bench-'));
  const { url, ask, stop } = await forkServer({ DATA_DIR: folder, ...env });
  return {
    url,
    user: await registerAda({ url }),
    fill: async (what, body) => {
      const { status, body: answer } = await new Caller(url).request(`PUT /bench/${what}`, { body });
      if (status !== 200) throw new Error(`Could not fill in ${what}: ${status}`);
      return answer;
    },
    usage: () => ask('usage'),
    usageWithoutGarbage: () => ask('usage without garbage'),
    untilIdle: async () => {
      for (let before = await ask('usage'); ; ) {
        await sleep(1_000);
        const after = await ask('usage');
        if (after.processorMs - before.processorMs < 100) return;
        before = after;
      }
    },
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function forkServer(env: Readonly<Record<string, string>>) {
  const own = {
    PORT: '0',
    HOST: '127.0.0.1',
    REGISTRATION: 'open',
    LOG_LEVEL: 'error',
    DATABASE_URL: '',
    STORAGE_URL: '',
  };
  const child = fork(join(import.meta.dirname, 'server.ts'), {
    execArgv: [...SERVER_FLAGS],
    env: { ...SERVER_ENV, ...process.env, ...own, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const nextMessage = <T>() =>
    new Promise<T>((done, failed) => {
      const onExit = () => failed(new Error('The server ended'));
      child.once('exit', onExit).once('message', (message) => {
        child.off('exit', onExit);
        done(message as T);
      });
    });
  const { url } = await nextMessage<{ url: string }>();
  return {
    url,
    ask: (question: 'usage' | 'usage without garbage') => {
      const answer = nextMessage<Usage>();
      child.send(question);
      return answer;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Measures on SQLite, and on an empty PostgreSQL. `measure` gets the engine's name and the server's variables. */
export async function onBothEngines(
  measure: (engine: string, env: Readonly<Record<string, string>>) => Promise<readonly Figure[]>,
): Promise<Figure[]> {
  const postgres = await startPostgres();
  try {
    return [...(await measure('SQLite', {})), ...(await measure('PostgreSQL', { DATABASE_URL: postgres.url }))];
  } finally {
    await postgres.stop();
  }
}

/** The median; of an even number of values, the higher of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/** The smallest of the values that is at least as large as this share of them. */
export function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] as number;
}

/** Uploads photographs, upright and across. */
export async function addSmallPhotos({ user }: BenchServer, count: number): Promise<void> {
  const dateId = await planDate(user);
  for (let seed = 0; seed < count; seed += 1) {
    const [width, height] = seed % 2 === 0 ? [1200, 900] : [900, 1200];
    const { status } = await upload(user, await makeJpeg({ seed, width, height }), { dateId });
    if (status !== 201) throw new Error(`An upload failed with ${status}`);
  }
}
