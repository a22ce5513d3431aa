import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type BenchServer, median, onBothEngines, percentile, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';
import type { CoupleTokens } from './fill-couples.ts';
import type { Delays, Order } from './stream-client.ts';

const STREAMS = 5_000;
/** The floor: few streams on the same server. */
const FEW = 20;
const CHANGES = 200;
/** One heartbeat to every stream, and four checks of all sessions. */
const IDLE_MS = 20_000;

/** Measures 5,000 open event streams on one node, on both databases. */
export function benchStreams(): Promise<Figure[]> {
  return onBothEngines(measureStreams);
}

async function measureStreams(database: string, env: Readonly<Record<string, string>>): Promise<Figure[]> {
  const server = await startBenchServer(env);
  const client = fork(join(import.meta.dirname, 'stream-client.ts'));
  try {
    const answer = await server.send('PUT', '/bench/couples', { count: STREAMS / 2 });
    const couples = (await answer.json()) as CoupleTokens[];
    const { url } = server;
    const openAndMeasure = async (open: readonly CoupleTokens[]) => {
      await ask(client, { url, open });
      return { ...(await measureIdle(server)), delays: await ask<Delays>(client, { url, changes: CHANGES }) };
    };
    const few = await openAndMeasure(couples.slice(0, FEW / 2));
    const before = await server.usageWithoutGarbage();
    const many = await openAndMeasure(couples.slice(FEW / 2));
    const delay = median(many.delays.toStreams);
    const perStream = (many.residentBytes - before.residentBytes) / (STREAMS - FEW) / 1024;
    return [
      {
        what: `5,000 streams, ${database}: memory of a stream, KB`,
        figure: perStream.toFixed(1),
        goal: `at most 40 (${Math.round(many.residentBytes / 2 ** 20)} MB in all)`,
      },
      {
        what: `5,000 streams, ${database}: processor while idle, % of a core`,
        figure: many.percentOfCore.toFixed(1),
        goal: `at most 5 (${few.percentOfCore.toFixed(1)} with ${FEW} streams)`,
      },
      {
        what: `5,000 streams, ${database} : ${FEW} streams, delay of a change`,
        figure: (delay / median(few.delays.toStreams)).toFixed(2),
        goal: `at most 1.50 (${ms(delay)}, p99 ${ms(percentile(many.delays.toStreams, 0.99))}; its response ${ms(median(many.delays.toResponse))})`,
      },
    ];
  } finally {
    client.kill();
    await server.stop();
  }
}

/** Memory after garbage collection, and processor time while nothing happens. */
async function measureIdle(server: BenchServer): Promise<{ residentBytes: number; percentOfCore: number }> {
  // What opening the streams left behind.
  await wait(1_000);
  const { residentBytes, processorMs } = await server.usageWithoutGarbage();
  const startedAt = performance.now();
  await wait(IDLE_MS);
  const elapsed = performance.now() - startedAt;
  return { residentBytes, percentOfCore: (((await server.usage()).processorMs - processorMs) / elapsed) * 100 };
}

/** @throws if the client ends, which has printed why */
function ask<T>(client: ChildProcess, order: Order): Promise<T> {
  return new Promise((done, failed) => {
    const onExit = () => failed(new Error('The client of the event streams ended'));
    client.once('exit', onExit);
    client.once('message', (answer) => {
      client.off('exit', onExit);
      done(answer as T);
    });
    client.send(order);
  });
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
