import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../tests/support/cluster/cluster.ts';
import type { Partner } from '../../tests/support/partner.ts';
import { registerCouple } from '../../tests/support/register-couple.ts';
import { breakCluster, type Incident, RECOVERY_MS } from './break-cluster.ts';
import type { Couple } from './client-date.ts';
import type { ClusterFaultName } from './cluster-faults.ts';
import { CoupleLoad } from './couple-load.ts';
import { findBrokenPromises } from './find-broken-promises.ts';
import { countOutcomes, type Outcome } from './ledger.ts';
import { LiveWatch } from './live-watch.ts';

const COUPLES = 8;
/** How long a page may take to notice that its node hears nothing, and to connect again. */
const NOTICE_MS = 20_000;

export interface ClusterLoadOptions {
  /** A pseudorandom generator of numbers in [0, 1). */
  readonly random: () => number;
  /** How long each of the sixteen clients rests after a date. */
  readonly pauseMs: number;
  readonly onIncident?: (incident: Incident) => void;
}

/** What happened in a cluster under load. The lists of broken promises are sentences, and empty if every promise was kept. */
export interface ClusterLoadReport {
  readonly incidents: readonly Incident[];
  /** Single answers, by what they say about the request. */
  readonly calls: Readonly<Record<Outcome, number>>;
  /** How many effects each outcome has. */
  readonly effects: Readonly<Record<Outcome, number>>;
  /** Of the stored data: what is missing, doubled, invented or damaged. */
  readonly brokenData: readonly string[];
  /**
   * Answers other than 2xx, 503, 429, or 409 of a running request, each with `Retry-After`; and those that show a
   * surprise or a sealed note.
   */
  readonly brokenAnswers: readonly string[];
  /** Changes that an open page did not receive, without a `resync`. */
  readonly missedChanges: readonly string[];
  /** Incidents after which a client was not served within a minute. */
  readonly slowRecoveries: readonly string[];
}

/** Sixteen clients of eight couples use a cluster while its parts fail. Start it with `hasLinks`. */
export async function runClusterLoad(
  cluster: Cluster,
  steps: Iterable<readonly ClusterFaultName[]>,
  { random, pauseMs, onIncident }: ClusterLoadOptions,
): Promise<ClusterLoadReport> {
  const partners: [Partner, Partner][] = [];
  for (let count = 0; count < COUPLES; count += 1) {
    const { ada, ben } = await registerCouple(cluster);
    partners.push([ada, ben]);
  }
  const load = new CoupleLoad(partners, random, pauseMs);
  const watches = partners.map(([, ben]) => new LiveWatch(ben));
  load.start();
  const incidents = await breakCluster(cluster, load, steps, { random, ...(onIncident ? { onIncident } : {}) });
  await load.stop();
  const missedChanges = await untilHeard(load.couples, watches);
  await Promise.all(watches.map((watch) => watch.stop()));
  return {
    incidents,
    calls: load.sender.calls,
    effects: countOutcomes(load.couples.flatMap(({ effects }) => effects)),
    brokenData: await findBrokenPromises(load.couples),
    brokenAnswers: load.sender.brokenPromises,
    missedChanges,
    slowRecoveries: incidents.flatMap(({ names, recovery }) =>
      recovery !== null && recovery * 1000 <= RECOVERY_MS ? [] : `${names.join(', ')}: ${recovery ?? 'no'} seconds`,
    ),
  };
}

/** Waits until the pages have received all changes. Returns those that they missed. */
async function untilHeard(couples: readonly Couple[], watches: readonly LiveWatch[]): Promise<string[]> {
  const missed = () =>
    couples.flatMap(({ changes }, index) =>
      changes
        .filter((change) => watches[index]?.heard.hasReceived(change) !== true)
        .map(({ id }) => `A page of couple ${index} missed the change of ${id}.`),
    );
  const deadline = performance.now() + NOTICE_MS;
  while (missed().length > 0 && performance.now() < deadline) await sleep(500);
  return missed();
}
