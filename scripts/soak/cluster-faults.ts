import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../tests/support/cluster/cluster.ts';
import type { ClusterPart } from '../../tests/support/cluster/cluster-part.ts';

/** How long a part may fail to start. */
const START_MS = 120_000;

/** Something that breaks in a cluster, and how it is repaired. */
export interface ClusterFault {
  readonly name: string;
  /** How long it lasts. */
  readonly seconds: number;
  /** Begins it. Returns what ends it. @param choose a number below `count`, to choose a node */
  readonly begin: (cluster: Cluster, choose: (count: number) => number) => Promise<() => unknown>;
}

/** Every kind of fault that the cluster must survive. */
export const CLUSTER_FAULTS = [
  {
    name: 'a node is killed',
    seconds: 3,
    begin: async ({ nodes }, choose) => {
      const node = chosen(nodes, choose);
      await node.kill();
      return () => startAgain(node);
    },
  },
  { name: 'a node is paused', seconds: 30, begin: async ({ nodes }, choose) => pause(chosen(nodes, choose)) },
  {
    name: 'a node is restarted',
    seconds: 0,
    begin: async ({ nodes }, choose) => {
      const node = chosen(nodes, choose);
      await node.kill('SIGTERM');
      return () => startAgain(node);
    },
  },
  {
    name: 'the primary is killed',
    seconds: 5,
    begin: async (cluster) => {
      const primary = await cluster.primary();
      await primary.kill();
      return () => startAgain(primary);
    },
  },
  // Longer than `ttl`, so that another database takes over.
  { name: 'the primary is paused', seconds: 25, begin: async (cluster) => pause(await cluster.primary()) },
  {
    name: 'the primary is switched over',
    seconds: 0,
    begin: async (cluster) => {
      await cluster.switchOver();
      return () => undefined;
    },
  },
  // Until it goes on, nothing can be acknowledged.
  { name: 'a replica lags', seconds: 8, begin: async (cluster) => pause(await cluster.synchronousStandby()) },
  {
    name: 'a node loses the database',
    seconds: 8,
    begin: async ({ links }, choose) => {
      const { database } = chosen(links, choose);
      await database.cut();
      return () => database.mend();
    },
  },
  {
    name: 'a node loses the store',
    seconds: 8,
    begin: async ({ links }, choose) => {
      const { store } = chosen(links, choose);
      await store.cut();
      return () => store.mend();
    },
  },
  {
    name: 'the gateway restarts',
    seconds: 2,
    begin: async ({ gateway }) => {
      await gateway.kill();
      return () => startAgain(gateway);
    },
  },
  {
    name: 'etcd loses its leader',
    seconds: 8,
    begin: async (cluster) => {
      const leader = await cluster.etcdLeader();
      await leader.kill();
      return () => startAgain(leader);
    },
  },
] as const satisfies readonly ClusterFault[];

export type ClusterFaultName = (typeof CLUSTER_FAULTS)[number]['name'];

/** Starts a part until it stays up, as a service manager does: a node ends at once without a database. */
async function startAgain(part: ClusterPart): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    try {
      return await part.start();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(1_000);
    }
  }
}

async function pause(part: ClusterPart): Promise<() => void> {
  part.pause();
  return () => part.resume();
}

function chosen<T>(parts: readonly T[], choose: (count: number) => number): T {
  const part = parts[choose(parts.length)];
  if (part === undefined) throw new Error('The cluster has no such part');
  return part;
}
