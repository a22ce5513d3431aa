import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { planDateId } from '../../tests/support/factories.ts';
import { makeJpeg } from '../../tests/support/images.ts';
import type { Partner } from '../../tests/support/partner.ts';
import { registerAda } from '../../tests/support/register-couple.ts';
import { upload } from '../../tests/support/upload.ts';
import { SERVER_ENV, SERVER_FLAGS } from '../lib/server-launch-settings.ts';
import type { ServerWork } from './bench-server-process.ts';

/** A server for one benchmark, with a signed-in user. */
export interface BenchServer {
  readonly url: string;
  readonly user: Partner;
  /**
   * Asks the server's process for something; see `bench-server-process.ts`. Usage is in bytes, and in milliseconds of all
   * its threads.
   */
  ask<What extends keyof ServerWork>(what: What, body: Parameters<ServerWork[What]>[0]): ReturnType<ServerWork[What]>;
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
  const own = {
    PORT: '0',
    HOST: '127.0.0.1',
    REGISTRATION: 'open',
    LOG_LEVEL: 'error',
    DATABASE_URL: '',
    STORAGE_URL: '',
    DATA_DIR: folder,
  };
  const child = fork(join(import.meta.dirname, 'bench-server-process.ts'), {
    execArgv: [...SERVER_FLAGS],
    env: { ...SERVER_ENV, ...process.env, ...own, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const hasFailed = ended.then(() => Promise.reject(new Error('The server ended')));
  const nextAnswer = async () =>
    ((await Promise.race([once(child, 'message'), hasFailed]))[0] as { answer: never }).answer;
  const url: string = await nextAnswer();
  const ask: BenchServer['ask'] = (what, body) => {
    const answer = nextAnswer();
    child.send({ what, body });
    return answer as never;
  };
  const usage = () => ask('usage', { collected: false });
  return {
    url,
    user: await registerAda({ url }),
    ask,
    untilIdle: async () => {
      for (let before = await usage(); ; ) {
        await sleep(1_000);
        const after = await usage();
        if (after.processorMs - before.processorMs < 100) return;
        before = after;
      }
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function expectStatus(status: number, ...expected: readonly number[]): void {
  if (!expected.includes(status)) throw new Error(`A request was answered with ${status}`);
}

/** Uploads photographs, upright and across. */
export async function addSmallPhotos({ user }: BenchServer, count: number): Promise<void> {
  const dateId = await planDateId(user);
  for (let seed = 0; seed < count; seed += 1) {
    const [width, height] = seed % 2 === 0 ? [1200, 900] : [900, 1200];
    const { status } = await upload(user, await makeJpeg({ seed, width, height }), { dateId });
    expectStatus(status, 201);
  }
}
