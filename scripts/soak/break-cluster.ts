import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../tests/support/cluster/cluster.ts';
import { CLUSTER_FAULTS, type ClusterFault, type ClusterFaultName } from './cluster-faults.ts';
import type { CoupleLoad } from './couple-load.ts';

/** How long clients may need after the end of a fault. */
export const RECOVERY_MS = 60_000;
/** How long to wait for them before the next fault all the same. */
const GIVE_UP_MS = 180_000;
/** The etcd members, or the databases, may be without a leader when a fault is to begin. */
const BEGIN_MS = 60_000;

/** Faults that happened at the same time. Times are seconds since the start of the load. */
export interface Incident {
  readonly names: readonly ClusterFaultName[];
  readonly from: number;
  readonly to: number;
  /** How long after their end every client was served again, in seconds; null if some were not. */
  readonly recovery: number | null;
}

/**
 * Breaks the cluster while a load runs: for each step, begins these faults at once, ends each after its time, and waits
 * until every client was acknowledged something after the last one's end.
 */
export async function breakCluster(
  cluster: Cluster,
  load: CoupleLoad,
  steps: Iterable<readonly ClusterFaultName[]>,
  { random, onIncident = () => undefined }: { random: () => number; onIncident?: (incident: Incident) => void },
): Promise<Incident[]> {
  const startedAt = performance.now();
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  const incidents: Incident[] = [];
  for (const planned of steps) {
    const from = performance.now();
    const choose = (count: number) => Math.floor(random() * count);
    const hasBegun = await Promise.all(planned.map((name) => breakOnce(cluster, name, choose)));
    const names = planned.filter((_, index) => hasBegun[index]);
    const to = performance.now();
    const recoveryMs = await load.untilAllServed(to, GIVE_UP_MS);
    const incident = {
      names,
      from: seconds(from - startedAt),
      to: seconds(to - startedAt),
      recovery: recoveryMs === null ? null : seconds(recoveryMs),
    };
    incidents.push(incident);
    onIncident(incident);
  }
  return incidents;
}

/** @returns false if the fault could not begin, because the part that it concerns was away all the time */
async function breakOnce(
  cluster: Cluster,
  name: ClusterFaultName,
  choose: (count: number) => number,
): Promise<boolean> {
  const fault: ClusterFault | undefined = CLUSTER_FAULTS.find((each) => each.name === name);
  if (fault === undefined) throw new Error(`No such fault: ${name}`);
  const end = await begin(fault, cluster, choose);
  if (end === null) return false;
  await sleep(fault.seconds * 1000);
  await end();
  return true;
}

/** Begins a fault once its part can be found; null if it isn't found. After another fault there may be no standby yet. */
async function begin({ begin: start }: ClusterFault, cluster: Cluster, choose: (count: number) => number) {
  const deadline = performance.now() + BEGIN_MS;
  for (;;) {
    try {
      return await start(cluster, choose);
    } catch {
      if (performance.now() > deadline) return null;
      await sleep(500);
    }
  }
}
