import type { ClusterPart } from './cluster-part.ts';
import type { DatabasePart } from './database-part.ts';

/** A state of a database that Patroni's REST API knows: the primary, its synchronous standby, another standby. */
export type DatabaseRole = 'primary' | 'sync' | 'async';

/** How long a paused or dead part has to answer. */
const ANSWER_MS = 2_000;

/** The first database in this role; null if there is none, or it doesn't answer. */
export async function databaseInRole(
  databases: readonly DatabasePart[],
  role: DatabaseRole,
): Promise<DatabasePart | null> {
  const answers = await Promise.all(
    databases.map(({ restUrl }) =>
      fetch(`${restUrl}/${role}`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
        (response) => response.ok,
        () => false,
      ),
    ),
  );
  return databases.find((_, index) => answers[index]) ?? null;
}

/** The etcd member that leads the others; null while they elect one. */
export async function etcdLeader(members: readonly ClusterPart[]): Promise<ClusterPart | null> {
  const leads = await Promise.all(members.map(({ address }) => isEtcdLeader(address).catch(() => false)));
  return members.find((_, index) => leads[index]) ?? null;
}

async function isEtcdLeader(address: string): Promise<boolean> {
  const response = await fetch(`http://${address}/v3/maintenance/status`, {
    method: 'POST',
    body: '{}',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const status = (await response.json()) as { header?: { member_id?: string }; leader?: string };
  return status.leader !== undefined && status.leader === status.header?.member_id;
}
