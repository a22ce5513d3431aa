import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type BenchServer, median, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';

const ROUNDS = 5;
const CLIENTS = 16;
const SECONDS = 3;
/**
 * The ideas that the clients plan in turn: so many that each gets some dozens of plans, like a couple’s favorite. With few,
 * most of the time would go into counting the thousands of plans of each.
 */
const IDEAS = 1_000;
const DAY_MS = 86_400_000;

/** Measures creates that are on disk, by 16 clients, against flushes of 4 KB on the same disk, on SQLite. */
export async function benchCreates(): Promise<Figure[]> {
  const server = await startBenchServer();
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-flushes-'));
  try {
    const idea = { title: 'A walk by the river', description: 'As far as the old bridge.', category: 'Outdoor' };
    const ids: string[] = [];
    for (let n = 0; n < IDEAS; n += 1) {
      ids.push(((await (await server.send('POST', '/api/DateIdeas', idea)).json()) as { id: string }).id);
    }
    const plannedDateTime = new Date(Date.now() + DAY_MS).toISOString();
    const plans = ids.map((dateIdeaId) => ({ dateIdeaId, plannedDateTime, location: 'From the weir to the bridge' }));
    const ideaRatios: number[] = [];
    const planRatios: number[] = [];
    let flushes = 0;
    // Alternating, so that changes in the disk's speed affect all. The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      flushes = flushRate(join(folder, 'flushed'));
      const ideas = await createRate(server, '/api/DateIdeas', [idea]);
      const dates = await createRate(server, '/api/PlannedDates', plans);
      if (round === 0) continue;
      ideaRatios.push(ideas / flushes);
      planRatios.push(dates / flushes);
    }
    const goal = `at least 0.80 (${Math.round(flushes)} flushes/s)`;
    return [
      { what: 'ideas created by 16 clients : flushes of 4 KB, a second', figure: median(ideaRatios).toFixed(2), goal },
      { what: 'dates planned by 16 clients : flushes of 4 KB, a second', figure: median(planRatios).toFixed(2), goal },
    ];
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Appends 4 KB and waits until it is on disk, again and again. Returns how often a second. */
function flushRate(path: string): number {
  const block = Buffer.alloc(4096, 1);
  const file = openSync(path, 'w');
  try {
    const start = performance.now();
    let count = 0;
    while (performance.now() - start < SECONDS * 1000) {
      writeSync(file, block);
      fdatasyncSync(file);
      count += 1;
    }
    return (count * 1000) / (performance.now() - start);
  } finally {
    closeSync(file);
  }
}

/** Creates from a call's bodies in turn. Returns how many a second are answered with 201. */
async function createRate({ url, token }: BenchServer, path: string, bodies: readonly object[]): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({
    url: url + path,
    connections: CLIENTS,
    duration: SECONDS,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    requests: bodies.map((body) => ({ method: 'POST' as const, body: JSON.stringify(body) })),
  });
  if (non2xx > 0 || errors > 0) throw new Error(`${path}: ${non2xx} error responses, ${errors} errors`);
  return requests.average;
}
