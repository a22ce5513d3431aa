import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../scripts/lib/seeded-random.ts';
import { CLUSTER_FAULTS, type ClusterFaultName } from '../../scripts/soak/cluster-faults.ts';
import { type ClusterLoadReport, runClusterLoad } from '../../scripts/soak/run-cluster-load.ts';
import { MINUTE } from '../../src/base/durations.ts';
import type { BackupState } from '../../src/keeping/server/backup/nightly-backup.ts';
import { Cluster, hasCluster } from '../support/cluster/cluster.ts';
import type { ClusterPart } from '../support/cluster/cluster-part.ts';
import { subscribeToEvents } from '../support/event-stream.ts';
import { planDate } from '../support/factories.ts';
import { measureChangeDelay } from '../support/measure-change-delay.ts';
import type { Partner } from '../support/partner.ts';
import { type SubscribedBrowser, startPushService } from '../support/push-service.ts';
import { registerCouple } from '../support/register-couple.ts';

const SEED = 13;
const PAUSE_MS = 300;
/** Starting the cluster, and the faults with their recoveries, on a busy machine. */
const LOAD_TIMEOUT_MS = 10 * MINUTE;

/** Every kind of fault once. Those of one step happen at the same time, and concern different parts. */
const STEPS: readonly (readonly ClusterFaultName[])[] = [
  ['a node is paused', 'etcd loses its leader', 'the gateway restarts'],
  ['a node is killed', 'a replica lags', 'a node loses the store'],
  ['the primary is switched over', 'a node loses the database', 'a node is restarted'],
  ['the primary is paused'],
  ['the primary is killed'],
];

describe.skipIf(!hasCluster() && !process.env.CI)('a cluster under load whose parts fail one after the other', () => {
  const cluster = new Cluster({ hasLinks: true, hasBackups: true, localPush: true });
  let service: Awaited<ReturnType<typeof startPushService>>;
  let us: { ada: Partner; ben: Partner };
  let browser: SubscribedBrowser;
  let dateId: string;
  let scrubber: string;
  let report: ClusterLoadReport;

  const query = async <Row extends pg.QueryResultRow>(sql: string) => {
    const client = new pg.Client({ connectionString: cluster.databaseUrls.direct });
    await client.connect();
    const { rows } = await client.query<Row>(sql);
    await client.end();
    return rows;
  };
  const jobOf = async (name: 'backup' | 'scrub') =>
    (await query<JobRow>(`select * from "scheduledJobs" where name = '${name}'`))[0] ?? null;
  const holderOf = async (name: 'backup' | 'scrub') => (await jobOf(name))?.heldBy ?? null;
  const backupState = async () => JSON.parse((await jobOf('backup'))?.state ?? '{}') as Partial<BackupState>;

  beforeAll(async () => {
    service = await startPushService();
    await cluster.start();
    us = await registerCouple(cluster);
    browser = service.subscribe();
    await us.ada.call('PUT /api/reminders/device', { body: browser.subscription });
    dateId = (await planDate(us.ben, { at: Date.now() + 30 * MINUTE })).id;
    scrubber = await vi.waitUntil(() => holderOf('scrub'), { timeout: MINUTE, interval: 500 });
    report = await runClusterLoad(cluster, STEPS, {
      random: seededRandom(SEED),
      pauseMs: PAUSE_MS,
    });
  }, LOAD_TIMEOUT_MS);
  afterAll(async () => {
    await cluster.stop();
    await service.close();
  });

  it('has seen every kind of fault', { tags: ['durability.nodes.6'] }, () => {
    expect(report.incidents.flatMap(({ names }) => names).sort()).toEqual(
      CLUSTER_FAULTS.map(({ name }) => name).sort(),
    );
    expect(report.effects.acknowledged).toBeGreaterThan(100);
  });

  it('loses, doubles and invents nothing, and keeps every photograph whole', { tags: ['durability.nodes.6'] }, () => {
    expect(report.brokenData).toEqual([]);
  });

  it('refuses only with 503 or 429 and Retry-After, or closes the connection', {
    tags: ['durability.nodes.6', 'durability.nodes.7'],
  }, () => {
    expect(report.brokenAnswers).toEqual([]);
  });

  it('serves every client within a minute of the end of each fault', { tags: ['durability.nodes.7'] }, () => {
    expect(report.slowRecoveries).toEqual([]);
  });

  it('sends every open page each change, or a resync', { tags: ['durability.nodes.8'] }, () => {
    expect(report.missedChanges).toEqual([]);
  });

  it('announces a change on every node within a second, afterwards', { tags: ['durability.nodes.8'] }, async () => {
    const nodes = cluster.nodes.map(({ address }) => us.ben.at({ url: `http://${address}` }));
    const streams = await Promise.all(nodes.map(subscribeToEvents));
    expect(await measureChangeDelay(us.ada, streams)).toBeLessThan(1_000);
    for (const stream of streams) stream.close();
  });

  it('sends a reminder once', { tags: ['durability.nodes.9'] }, async () => {
    const received = () => browser.received.filter(({ notice }) => notice.dateId === dateId);
    await expect.poll(() => received().map(({ notice }) => notice.kind), { timeout: 90_000 }).toContain('starting');
    const kinds = received().map(({ notice }) => notice.kind);
    expect(kinds).toEqual([...new Set(kinds)]);
  });

  it('makes one nightly backup, and lets one node scrub', { tags: ['durability.nodes.9'] }, async () => {
    const made = await Promise.all(cluster.backups.map((folder) => readdir(folder).catch(() => [])));
    expect(made.flat().filter((name) => name === 'manifest.json')).toHaveLength(1);
    expect(made.flat()).not.toContain('earlier');
    expect(await holderOf('scrub')).toBe(scrubber);
  });

  it('lets another node take over from one that is paused, whose late write is then refused', {
    tags: ['durability.nodes.10'],
    timeout: 5 * MINUTE,
  }, async () => {
    const [first, second] = cluster.nodes as [ClusterPart, ClusterPart];
    const restart = async (node: ClusterPart) => {
      await node.kill();
      await node.start();
    };
    // The backup of before may still be verified by another node.
    await vi.waitUntil(async () => (await jobOf('backup'))?.heldUntil === '0', { timeout: MINUTE, interval: 250 });
    await query(`update "scheduledJobs" set "doneAt" = null, state = null where name = 'backup'`);
    const written = () => readdir(join(cluster.backups[0] ?? '', 'tables')).catch(() => []);
    const before = await written();
    await restart(first);
    // It has begun to write. One that is paused between its lease and that has nothing to write later.
    await vi.waitUntil(async () => (await written()).length > before.length, { timeout: MINUTE, interval: 5 });
    first.pause();
    const { heldBy, doneAt } = (await jobOf('backup')) ?? {};
    expect(doneAt).toBeNull();
    // Its lease of ten minutes runs out.
    await query(`update "scheduledJobs" set "heldUntil" = 0 where name = 'backup'`);
    await restart(second);
    await vi.waitUntil(async () => (await backupState()).verifiedAt, { timeout: MINUTE, interval: 250 });
    await vi.waitUntil(async () => (await jobOf('backup'))?.heldUntil === '0', { timeout: MINUTE, interval: 250 });
    const saved = await jobOf('backup');
    expect(saved?.heldBy).not.toBe(heldBy);
    const outputBefore = first.output.length;
    first.resume();
    // After a long pause, its connection to the database may be gone: then the backup fails before it can learn that.
    await expect
      .poll(() => first.output.slice(outputBefore), { timeout: 2 * MINUTE })
      .toMatch(/Another node took over the backup\.|the backup failed/);
    expect(await jobOf('backup')).toEqual(saved);
  });
});

/** A row of `scheduledJobs`. Integers of eight bytes arrive as text. */
interface JobRow {
  readonly heldBy: string | null;
  readonly heldUntil: string;
  readonly doneAt: string | null;
  readonly state: string | null;
}
