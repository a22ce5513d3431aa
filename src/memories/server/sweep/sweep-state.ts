import { hostname } from 'node:os';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { readScheduledJob, recordScheduledJob } from '../../../base/server/job-store.ts';
import { HOUR } from '../../../base/time.ts';
import type { StopReason, StoreScan } from '../../stray-rules.ts';

/** What the last look over the store found, and why it stops the sweep. */
interface SweepState {
  readonly look: StoreScan;
  readonly stopped: StopReason | null;
}

/** What a node found when it compared the database with its store. */
interface StoreState {
  readonly reason: StopReason | null;
  readonly node: string;
}

/** Every node compares each hour: what none has confirmed for longer is over. */
const REFUSAL_MS = 2 * HOUR;

/** What the settings, the metrics and the sweep itself know of the last look. */
export interface SweepStatus {
  readonly scannedAt: number | null;
  readonly stopped: StopReason | null;
  readonly strays: number;
}

export async function saveScan(tx: Writer, scannedAt: number, state: SweepState): Promise<void> {
  await recordScheduledJob(tx, 'sweep', { doneAt: scannedAt, state });
}

/** Notes that this node refuses to sweep its store. */
export async function saveRefusal(tx: Writer, at: number, reason: StopReason): Promise<void> {
  await recordScheduledJob(tx, 'store', { doneAt: at, state: { reason, node: hostname() } satisfies StoreState });
}

/** Ends a refusal: this node's own; that of another node only with `ofAnyNode`, for that node may have another store. */
export async function clearRefusal(tx: Writer, at: number, { ofAnyNode }: { ofAnyNode: boolean }): Promise<void> {
  const { state } = await readScheduledJob<StoreState>(tx, 'store');
  if (!state?.reason || (!ofAnyNode && state.node !== hostname())) return;
  await recordScheduledJob(tx, 'store', { doneAt: at, state: { reason: null, node: hostname() } satisfies StoreState });
}

/** How the sweep stands, over all nodes. */
export async function readSweep(reader: Reader, now: number): Promise<SweepStatus> {
  const [store, sweep] = await Promise.all([
    readScheduledJob<StoreState>(reader, 'store'),
    readScheduledJob<SweepState>(reader, 'sweep'),
  ]);
  const refused = now - (store.doneAt ?? 0) < REFUSAL_MS ? store.state?.reason : null;
  return {
    scannedAt: sweep.doneAt,
    stopped: refused ?? sweep.state?.stopped ?? null,
    strays: sweep.state?.look.strays ?? 0,
  };
}

/** Why the last look stopped the sweep, whatever nodes with another store say; and when it was. */
export async function readScan(reader: Reader): Promise<Pick<SweepStatus, 'scannedAt' | 'stopped'>> {
  const { doneAt, state } = await readScheduledJob<SweepState>(reader, 'sweep');
  return { scannedAt: doneAt, stopped: state?.stopped ?? null };
}
