import { createHash, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../src/base/durations.ts';
import type { Result } from '../support/caller.ts';
import { Cluster, hasCluster } from '../support/cluster/cluster.ts';
import { subscribeToEvents } from '../support/event-stream.ts';
import { planDate } from '../support/factories.ts';
import { makeJpeg } from '../support/images.ts';
import { measureChangeDelay } from '../support/measure-change-delay.ts';
import type { Partner } from '../support/partner.ts';
import { isRunning } from '../support/process-signals.ts';
import { registerCouple } from '../support/register-couple.ts';
import { upload } from '../support/upload.ts';

/** How long a client retries a write before it counts as failed. */
const PATIENCE_MS = 60_000;

interface Write {
  readonly title: string;
  readonly ideaId: string;
  readonly dateId: string;
  readonly memoryId: string;
  readonly sha256: string;
}

/** The answers, or lost connections, after which a client had to try again. */
const setbacks: string[] = [];

/**
 * Sends a write until it is acknowledged, as a client does: it waits for `Retry-After`, and repeats a request
 * whose connection closed. Throws for any other answer.
 */
async function untilAcknowledged<T>(send: () => Promise<Result<T>>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const answer = await send().catch(() => null);
    if (answer !== null && answer.status < 300) return answer.body;
    const retryAfter = answer?.headers.get('retry-after') ?? null;
    if (answer !== null && (![409, 429, 503].includes(answer.status) || retryAfter === null)) {
      throw new Error(`${answer.status}, Retry-After: ${retryAfter}: ${JSON.stringify(answer.body)}`);
    }
    setbacks.push(answer === null ? 'lost connection' : `${answer.status} ${answer.problem.message}`);
    await sleep(Number(retryAfter ?? 1) * 1000);
  }
  throw new Error(`Not acknowledged within ${PATIENCE_MS} ms`);
}

/** Adds an idea, plans a date for it, and uploads a photograph of it. Returns once all three are acknowledged. */
async function write(who: Partner, title: string, seed: number): Promise<Write> {
  const [ideaKey, dateKey, photoKey] = [randomUUID(), randomUUID(), randomUUID()];
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
  const idea = { title, category: 'Food' } as const;
  const { id: ideaId } = await untilAcknowledged(() => who.call('POST /api/DateIdeas', { body: idea }, keyed(ideaKey)));
  const date = { dateIdeaId: ideaId, plannedDateTime: new Date(Date.now() + DAY).toISOString() };
  const { id: dateId } = await untilAcknowledged(() =>
    who.call('POST /api/PlannedDates', { body: date }, keyed(dateKey)),
  );
  const photo = await makeJpeg({ seed, width: 400 });
  const form = { dateId, caption: title };
  const { id: memoryId } = await untilAcknowledged(() => upload(who, photo, form, photoKey));
  return { title, ideaId, dateId, memoryId, sha256: sha256Of(photo) };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Writes with several clients at once until `work` is done. Returns what was acknowledged. */
async function writeDuring(clients: readonly Partner[], name: string, work: () => Promise<void>): Promise<Write[]> {
  const progress = { isOver: false };
  const writing = clients.map(async (who, index) => {
    const written: Write[] = [];
    // Each client writes at least twice, however slow the machine is.
    while (!progress.isOver || written.length < 2) {
      const title = `${name} ${index}.${written.length}`;
      written.push(await write(who, title, index * 1000 + written.length));
    }
    return written;
  });
  await work().finally(() => {
    progress.isOver = true;
  });
  return (await Promise.all(writing)).flat();
}

/** Whether something accepts connections at `host:port`. */
function isListening(address: string): Promise<boolean> {
  const [host, port] = address.split(':');
  return new Promise((done) => {
    const socket = connect(Number(port), host);
    socket.on('connect', () => done(true)).on('error', () => done(false));
    socket.on('connect', () => socket.destroy());
  });
}

describe.skipIf(!hasCluster() && !process.env.CI)('a cluster', () => {
  const cluster = new Cluster();
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    await cluster.start();
    ({ ada, ben } = await registerCouple(cluster));
  });
  afterAll(() => cluster.stop());

  it('loses and doubles nothing that was acknowledged while the primary is switched over', {
    tags: ['durability.nodes.1'],
  }, async () => {
    const former = await cluster.primary();
    const written = await writeDuring([ada, ben, ada, ben], 'Switchover', async () => {
      await sleep(2_000);
      await cluster.switchOver();
      await sleep(5_000);
    });
    expect((await cluster.primary()).name).not.toBe(former.name);
    expect(written.length).toBeGreaterThan(4);

    const { body: ideas } = await ben.call('GET /api/DateIdeas');
    const byTitle = (a: readonly string[], b: readonly string[]) => String(a[1]).localeCompare(String(b[1]));
    const expectedIdeas = written.map(({ ideaId, title }) => [ideaId, title]);
    expect(ideas.map(({ id, title }) => [id, title]).sort(byTitle)).toEqual(expectedIdeas.sort(byTitle));
    const { body: dates } = await ada.call('GET /api/PlannedDates');
    expect(dates.map(({ id }) => id).sort()).toEqual(written.map(({ dateId }) => dateId).sort());
    const { body: memories } = await ada.call('GET /api/Memories', { query: { count: '500' } });
    expect(memories.map(({ id }) => id).sort()).toEqual(written.map(({ memoryId }) => memoryId).sort());
    for (const { id, imageUrl } of memories) {
      const response = await fetch(cluster.url + imageUrl, { headers: { cookie: ada.cookie } });
      const { sha256 } = written.find(({ memoryId }) => memoryId === id) ?? {};
      expect(sha256Of(await response.bytes())).toBe(sha256);
    }
  });

  it('announces a change to every node, past PgBouncer, within a second', {
    tags: ['durability.nodes.5'],
  }, async () => {
    const heard = await Promise.all(
      cluster.nodes.map(({ address }) => subscribeToEvents(ben.at({ url: `http://${address}` }))),
    );
    const streams = [...heard, await subscribeToEvents(ben)];
    expect(await measureChangeDelay(ada, streams)).toBeLessThan(1_000);
    for (const stream of streams) stream.close();
  });

  it('limits statements through PgBouncer like those of a direct connection', {
    tags: ['durability.nodes.5'],
  }, async () => {
    const pooled = new pg.Client({ connectionString: cluster.databaseUrls.pooled });
    await pooled.connect();
    const show = async (name: string) => (await pooled.query<Record<string, string>>(`show ${name}`)).rows[0]?.[name];
    expect(await show('statement_timeout')).toBe('10s');
    expect(await show('idle_in_transaction_session_timeout')).toBe('10s');
    await pooled.end();
  });

  it('restarts a node without anyone noticing', { tags: ['durability.nodes.3'] }, async () => {
    const [, node] = cluster.nodes;
    setbacks.length = 0;
    const written = await writeDuring([ada, ben], 'Restart', async () => {
      await node?.kill('SIGTERM');
      expect(await node?.ended).toBe(0);
      const stream = await subscribeToEvents(ben);
      stream.close();
      await node?.start();
    });
    expect(written.length).toBeGreaterThan(1);
    expect(setbacks).toEqual([]);
  });

  it('serves while one node is away, and says when to try again while all are', {
    tags: ['durability.nodes.2'],
  }, async () => {
    const { id: dateId } = await planDate(ada);
    const [one, ...others] = cluster.nodes;
    await one?.kill();
    for (let count = 0; count < 5; count += 1) {
      const [photo, key] = [await makeJpeg({ seed: count }), randomUUID()];
      const { id } = await untilAcknowledged(() => upload(ben, photo, { dateId }, key));
      expect(id).toMatch(/^[\w-]{36}$/);
    }
    await Promise.all(others.map((node) => node.kill()));
    // HAProxy answers nothing and closes if it has sent the request on a kept connection to a node that is gone. A
    // browser sends it again by itself.
    const list = () => ada.call('GET /api/DateIdeas');
    const refused = await list().catch(list);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    await Promise.all(cluster.nodes.map((node) => node.start()));
    await expect.poll(async () => (await ada.call('GET /api/DateIdeas')).status, { timeout: 20_000 }).toBe(200);
  });

  it('ends with no process and no open port left', { tags: ['running.proxies.5'] }, async () => {
    const { parts } = cluster;
    const pids = parts.flatMap((part) => part.pids());
    expect(pids.length).toBeGreaterThan(parts.length);
    await cluster.stop();
    expect(pids.filter(isRunning)).toEqual([]);
    const addresses = parts.map(({ address }) => address).filter((address) => address !== '');
    expect(await Promise.all(addresses.map(isListening))).toEqual(addresses.map(() => false));
  });
});
