import { Cluster } from '../../tests/support/cluster/cluster.ts';
import { provision } from '../lib/provision.ts';
import { seededRandom } from '../lib/seeded-random.ts';
import type { Incident } from './break-cluster.ts';
import { CLUSTER_FAULTS, type ClusterFaultName } from './cluster-faults.ts';
import { type ClusterLoadReport, runClusterLoad } from './run-cluster-load.ts';

/** Limits the load, so that an hour's photographs fit on the disk. */
const PAUSE_MS = 1_000;
/** How often two faults happen at once. */
const TWO_AT_ONCE = 0.25;

/**
 * `npm run soak -- --cluster [MINUTES] [SEED]`: sixteen clients use a cluster while its parts fail at random. Prints each
 * fault as it ends, then the figures and every broken promise.
 * @param seed chooses the faults, so that a run can be repeated
 * @returns whether every promise was kept
 */
export async function soakCluster(minutes: number, seed: number): Promise<boolean> {
  const advice = Object.values(provision(['ceph', 'cluster'])).filter((each) => each !== null);
  if (advice.length > 0) throw new Error(advice.join('\n'));
  const cluster = new Cluster({ hasLinks: true });
  const stop = () => void cluster.stop().finally(() => process.exit(130));
  process.on('SIGINT', stop).on('SIGTERM', stop);
  console.log(`Seed ${seed}. Starting the cluster …`);
  try {
    await cluster.start();
    const random = seededRandom(seed);
    const until = performance.now() + minutes * 60_000;
    const report = await runClusterLoad(cluster, randomSteps(random, until), {
      random,
      pauseMs: PAUSE_MS,
      onIncident: printIncident,
    });
    return print(report);
  } finally {
    await cluster.stop();
  }
}

/** Chooses one fault, or two at once, until an instant. */
function* randomSteps(random: () => number, until: number): Generator<readonly ClusterFaultName[]> {
  const names = CLUSTER_FAULTS.map(({ name }) => name);
  const any = (from: readonly ClusterFaultName[]) => from[Math.floor(random() * from.length)] ?? 'a node is killed';
  while (performance.now() < until) {
    const first = any(names);
    const others = names.filter((name) => name !== first);
    yield random() < TWO_AT_ONCE ? [first, any(others)] : [first];
  }
}

function printIncident({ names, from, to, recovery }: Incident): void {
  const served = recovery === null ? 'not every client was served again' : `every client served ${recovery} s later`;
  console.log(`${from} s to ${to} s: ${names.join(' and ') || 'no fault could begin'}; ${served}`);
}

function print({ incidents, calls, effects, ...lists }: ClusterLoadReport): boolean {
  const count = incidents.flatMap(({ names }) => names).length;
  const slowest = incidents.reduce((most, { recovery }) => Math.max(most, recovery ?? Number.POSITIVE_INFINITY), 0);
  const figures = ({ acknowledged, refused, unknown }: typeof calls) =>
    `${acknowledged} acknowledged, ${refused} refused, ${unknown} unknown`;
  console.log(`${count} faults. Answers: ${figures(calls)}. Effects: ${figures(effects)}.`);
  console.log(`The slowest recovery took ${slowest} s.`);
  const broken = Object.values(lists).flat();
  for (const sentence of broken) console.log(sentence);
  console.log(broken.length === 0 ? 'Every promise was kept.' : `${broken.length} broken promises.`);
  return broken.length === 0;
}
