import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { CoupleTokens } from './fill-couples.ts';

/**
 * A process of its own that holds event streams. It answers `open` when the streams of these couples are open, `changes`
 * with the delays of that many changes, each to the two streams of its couple.
 */
export type Order =
  | { readonly open: readonly CoupleTokens[]; readonly url: string }
  | { readonly changes: number; readonly url: string };

/** Milliseconds from sending a change to its event on each stream, and to its response. */
export interface Delays {
  readonly toStreams: readonly number[];
  readonly toResponse: readonly number[];
}

const OPENING_AT_ONCE = 50;
/** The pause between two changes, so that each is measured alone. */
const PAUSE_MS = 40;
const TIMEOUT_MS = 10_000;
interface OpenCouple {
  readonly token: string;
  /** Called for each change that arrives on one of the couple's streams. */
  onChange: () => void;
}

const couples: OpenCouple[] = [];
const agent = new Agent({ keepAlive: true });

/** Opens one stream. Reads it without an HTTP client, which would take more processor time than the server. */
function openStream(url: URL, token: string, couple: OpenCouple): Promise<void> {
  return new Promise((opened, failed) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.on('error', failed).on('close', () => failed(new Error('A stream ended')));
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (text.includes('retry: ')) opened();
      else if (text.startsWith('HTTP/') && !text.startsWith('HTTP/1.1 200')) failed(new Error(text.slice(0, 200)));
      if (text.includes('event: change')) couple.onChange();
    });
    socket.write(`GET /api/events HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  });
}

async function openAll(url: URL, tokens: readonly CoupleTokens[]): Promise<void> {
  const waiting = [...tokens];
  const open = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const couple: OpenCouple = { token: next[0], onChange: () => undefined };
      for (const token of next) await openStream(url, token, couple);
      couples.push(couple);
    }
  };
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, open));
}

/** Makes a change, another day than before: a change to the same value is not announced. Resolves with its milliseconds. */
function change(url: URL, token: string, n: number): Promise<number> {
  const startedAt = performance.now();
  const togetherSince = new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, 10);
  return new Promise((done, failed) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sending = request(new URL('/api/couple', url), { method: 'PUT', agent, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) done(performance.now() - startedAt);
        else failed(new Error(`A change was answered with ${response.statusCode}`));
      });
    });
    sending.on('error', failed).end(JSON.stringify({ togetherSince }));
  });
}

async function measureDelays(url: URL, changes: number): Promise<Delays> {
  const [toStreams, toResponse]: [number[], number[]] = [[], []];
  for (let n = 0; n < changes; n += 1) {
    // Spread over all couples.
    const couple = couples[Math.floor((n * couples.length) / changes)] as OpenCouple;
    const startedAt = performance.now();
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    let left = 2;
    couple.onChange = () => {
      toStreams.push(performance.now() - startedAt);
      left -= 1;
      if (left === 0) resolve();
    };
    toResponse.push(await change(url, couple.token, n));
    const isLate = wait(TIMEOUT_MS, true, { ref: false });
    if (await Promise.race([arrived, isLate])) throw new Error('A change did not arrive');
    couple.onChange = () => undefined;
    await wait(PAUSE_MS);
  }
  return { toStreams, toResponse };
}

process.on('message', (order: Order) => {
  const url = new URL(order.url);
  const work = 'open' in order ? openAll(url, order.open) : measureDelays(url, order.changes);
  void work.then(
    (answer) => process.send?.(answer ?? 'done'),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
