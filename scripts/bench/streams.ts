import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../../tests/support/postgres.ts';
import { type BenchServer, median, percentile, planDate, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';
import type { CoupleTokens } from './fill-couples.ts';
import type { Delays, Order } from './stream-client.ts';
import { makePhoto, send } from './uploads.ts';

const STREAMS = 5_000;
/** The floor: few streams on the same server. */
const FEW = 20;
const CHANGES = 200;
/** One heartbeat to every stream, and four checks of all sessions. */
const IDLE_MS = 20_000;
/** The streams while clients are busy and photographs come in. */
const BUSY_STREAMS = 1_000;
const BUSY_CLIENTS = 100;
const PHOTOS = 100;
/** Photographs sent at a time. */
const SENDERS = 4;
/** A round has about two hundred requests of each kind. One round alone has too few for a 99th percentile. */
const ROUNDS = 8;
const WARM_UP_MS = 5_000;

/** Measures open event streams on one node, on both databases: 5,000 idle ones, and 1,000 while photographs come in. */
export async function benchStreams(): Promise<Figure[]> {
  return [
    ...(await onPostgres((env) => measureStreams('PostgreSQL', env))),
    ...(await measureStreams('SQLite', {})),
    await onPostgres((env) => measureBusy('PostgreSQL', env)),
    await measureBusy('SQLite', {}),
  ];
}

/** Runs work on an empty PostgreSQL. */
async function onPostgres<T>(work: (env: { readonly DATABASE_URL: string }) => Promise<T>): Promise<T> {
  const postgres = await startPostgres();
  try {
    return await work({ DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

async function measureStreams(database: string, env: Readonly<Record<string, string>>): Promise<Figure[]> {
  const server = await startBenchServer(env);
  const client = fork(join(import.meta.dirname, 'stream-client.ts'));
  try {
    const couples = await createCouples(server, STREAMS / 2);
    const { url } = server;
    await ask(client, { url, open: couples.slice(0, FEW / 2) });
    const few = { ...(await measureIdle(server)), delays: await ask<Delays>(client, { url, changes: CHANGES }) };
    const before = await server.usageWithoutGarbage();
    await ask(client, { url, open: couples.slice(FEW / 2) });
    const many = { ...(await measureIdle(server)), delays: await ask<Delays>(client, { url, changes: CHANGES }) };
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
        goal: `at most 1.50 (${ms(delay)}, p99 ${ms(p99(many.delays.toStreams))}; its response ${ms(median(many.delays.toResponse))})`,
      },
    ];
  } finally {
    client.kill();
    await server.stop();
  }
}

/** Measures 100 clients, each tapping once a second, with 1,000 open streams: while 100 photographs come in, and without. */
async function measureBusy(database: string, env: Readonly<Record<string, string>>): Promise<Figure> {
  const server = await startBenchServer(env);
  const client = fork(join(import.meta.dirname, 'stream-client.ts'));
  try {
    const { url } = server;
    const date = await planDate(server);
    const photo = await makePhoto(0);
    await ask(client, { url, open: await createCouples(server, BUSY_STREAMS / 2) });
    const tapDuring = async (work: () => Promise<unknown>) => {
      await ask(client, { url, busy: BUSY_CLIENTS });
      const startedAt = performance.now();
      await work();
      const ms = performance.now() - startedAt;
      return { ms, requests: await ask<number[]>(client, { url, rest: true }) };
    };
    const took = { with: [] as number[], without: [] as number[] };
    await send(server, date, [photo]);
    await tapDuring(() => wait(WARM_UP_MS));
    // Alternating, so that changes in machine speed affect both.
    for (let round = 0; round < ROUNDS; round += 1) {
      const photos = Array.from({ length: PHOTOS }, (_, n) => [photo, Buffer.from(`${round} ${n}`)]);
      const sendAll = async () => {
        for (let next = photos.pop(); next; next = photos.pop()) await send(server, date, next);
      };
      const busy = await tapDuring(() => Promise.all(Array.from({ length: SENDERS }, sendAll)));
      await idle(server);
      const calm = await tapDuring(() => wait(busy.ms));
      took.with.push(...busy.requests);
      took.without.push(...calm.requests);
    }
    const [during, without] = [p99(took.with), p99(took.without)];
    return {
      what: `1,000 streams, ${database}: p99 of ${BUSY_CLIENTS} clients, ${PHOTOS} photographs : none`,
      figure: (during / without).toFixed(2),
      goal: `at most 2 (${ms(during)} : ${ms(without)})`,
    };
  } finally {
    client.kill();
    await server.stop();
  }
}

/** Waits until the server has made the previews. */
async function idle(server: BenchServer): Promise<void> {
  for (let before = await server.usage(); ; ) {
    await wait(1_000);
    const after = await server.usage();
    if (after.processorMs - before.processorMs < 100) return;
    before = after;
  }
}

async function createCouples(server: BenchServer, count: number): Promise<CoupleTokens[]> {
  return (await (await server.send('PUT', '/bench/couples', { count })).json()) as CoupleTokens[];
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

function p99(values: readonly number[]): number {
  return percentile(values, 0.99);
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
