import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import PQueue from 'p-queue';
import { Caller } from '../../tests/support/caller.ts';
import { type BenchServer, expectStatus, startBenchServer } from './bench-server.ts';
import { type Figure, onBothEngines } from './figures-on-both-engines.ts';
import type { CoupleTokens } from './fill-couples.ts';
import { median, percentile } from './median-time.ts';

const STREAMS = 5_000;
/** The floor: few streams on the same server. */
const FEW = 20;
const CHANGES = 200;
/** One heartbeat to every stream, and four checks of all sessions. */
const IDLE_MS = 20_000;
const OPENING_AT_ONCE = 50;
/** The pause between two changes, so that each is measured alone. */
const PAUSE_MS = 40;

interface OpenCouple {
  readonly token: string;
  /** Called for each change that arrives on one of the couple's streams. */
  onChange: () => void;
}

const sockets: Socket[] = [];

/** Measures 5,000 open event streams on one node, on both databases. */
export function benchStreams(): Promise<Figure[]> {
  return onBothEngines(measureStreams);
}

async function measureStreams(database: string, env: Readonly<Record<string, string>>): Promise<Figure[]> {
  const server = await startBenchServer(env);
  try {
    const couples = await server.ask('couples', { count: STREAMS / 2 });
    const url = new URL(server.url);
    const opened: OpenCouple[] = [];
    const openAndMeasure = async (more: readonly CoupleTokens[]) => {
      opened.push(...(await openAll(url, more)));
      return { ...(await measureIdle(server)), delays: await measureChangeDelays(url, opened) };
    };
    const few = await openAndMeasure(couples.slice(0, FEW / 2));
    const many = await openAndMeasure(couples.slice(FEW / 2));
    const delay = median(many.delays);
    const perStream = (many.residentBytes - few.residentBytes) / (STREAMS - FEW) / 1024;
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
        figure: (delay / median(few.delays)).toFixed(2),
        goal: `at most 1.50 (${delay.toFixed(1)} ms, p99 ${percentile(many.delays, 0.99).toFixed(1)} ms)`,
      },
    ];
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.stop();
  }
}

/** Memory after garbage collection, and processor time while nothing happens. */
async function measureIdle(server: BenchServer): Promise<{ residentBytes: number; percentOfCore: number }> {
  // What opening the streams left behind.
  await wait(1_000);
  const { residentBytes, processorMs } = await server.ask('usage', { collected: true });
  const startedAt = performance.now();
  await wait(IDLE_MS);
  const elapsed = performance.now() - startedAt;
  const after = await server.ask('usage', { collected: false });
  return { residentBytes, percentOfCore: ((after.processorMs - processorMs) / elapsed) * 100 };
}

/** Opens one stream. Reads it without an HTTP client, which would take more processor time than the server. */
function openStream(url: URL, token: string, couple: OpenCouple): Promise<void> {
  return new Promise((opened, failed) => {
    const socket = connect(Number(url.port), url.hostname);
    sockets.push(socket);
    socket.on('error', failed).on('close', () => failed(new Error('A stream ended')));
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (text.includes('retry: ')) opened();
      else if (text.startsWith('HTTP/') && !text.startsWith('HTTP/1.1 200')) failed(new Error(text.slice(0, 200)));
      if (text.includes('event: change')) couple.onChange();
    });
    socket.write(`GET /api/events HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  });
}

/** Opens the two streams of each couple, some at a time. */
function openAll(url: URL, tokens: readonly CoupleTokens[]): Promise<OpenCouple[]> {
  const open = async (both: CoupleTokens) => {
    const couple: OpenCouple = { token: both[0], onChange: () => undefined };
    for (const token of both) await openStream(url, token, couple);
    return couple;
  };
  return new PQueue({ concurrency: OPENING_AT_ONCE }).addAll(tokens.map((both) => () => open(both)));
}

/** Makes a change, another day than before: a change to the same value is not announced. */
async function change(url: URL, token: string, n: number): Promise<void> {
  const togetherSince = new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, 10);
  const { status } = await new Caller(url.origin, token).call('PUT /api/couple', { body: { togetherSince } });
  expectStatus(status, 200);
}

/**
 * Changes something of one couple after the other, spread over all, each alone. Resolves with the milliseconds from
 * sending a change to its event on each stream.
 */
async function measureChangeDelays(url: URL, couples: readonly OpenCouple[]): Promise<number[]> {
  const delays: number[] = [];
  for (let n = 0; n < CHANGES; n += 1) {
    const couple = couples[Math.floor((n * couples.length) / CHANGES)] as OpenCouple;
    const startedAt = performance.now();
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    let left = 2;
    couple.onChange = () => {
      delays.push(performance.now() - startedAt);
      left -= 1;
      if (left === 0) resolve();
    };
    await change(url, couple.token, n);
    await arrived;
    await wait(PAUSE_MS);
  }
  return delays;
}
