import { hostname } from 'node:os';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { readScheduledJob, recordScheduledJob, saveScheduledJob } from '../../../base/server/job-store.ts';
import { HOUR } from '../../../base/time.ts';
import type { StopReason, StoreScan } from '../../stray-rules.ts';

/** The result of the last scan, and why it stops the sweep. Stored as JSON, so `look` keeps its name. */
interface SweepState {
  readonly look: StoreScan;
  readonly stopped: StopReason | null;
}

/** The result of one node's comparison of the database with its store. Stored as JSON. */
interface StoreState {
  readonly reason: StopReason | null;
  readonly node: string;
}

/** How long a refusal counts. Every node compares hourly and confirms it. */
const REFUSAL_MS = 2 * HOUR;

/** The status of the sweep, for the settings and the metrics. */
export interface SweepStatus {
  readonly scannedAt: number | null;
  readonly stopped: StopReason | null;
  readonly strays: number;
}

/**
 * Saves the scan of the node that holds the lease on the sweep.
 * @param owner the claim owner of the lease
 * @returns false if another node has taken the lease; nothing is saved then
 */
export function saveOwnScan(tx: Writer, scannedAt: number, state: SweepState, owner: string): Promise<boolean> {
  return saveScheduledJob(tx, 'sweep', { doneAt: scannedAt, state, owner });
}

/** Saves the scan of an operator, without a lease. */
export async function saveScan(tx: Writer, scannedAt: number, state: SweepState): Promise<void> {
  await recordScheduledJob(tx, 'sweep', { doneAt: scannedAt, state });
}

/** Records that this node refuses to sweep its store. */
export async function saveRefusal(tx: Writer, at: number, reason: StopReason): Promise<void> {
  await recordScheduledJob(tx, 'store', { doneAt: at, state: { reason, node: hostname() } satisfies StoreState });
}

/** Clears this node's refusal. With `ofAnyNode` it also clears another node's, which may have another store. */
export async function clearRefusal(tx: Writer, at: number, { ofAnyNode }: { ofAnyNode: boolean }): Promise<void> {
  const { state } = await readScheduledJob<StoreState>(tx, 'store');
  if (!state?.reason || (!ofAnyNode && state.node !== hostname())) return;
  await recordScheduledJob(tx, 'store', { doneAt: at, state: { reason: null, node: hostname() } satisfies StoreState });
}

/** The status of the sweep across all nodes. */
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

/** When the last scan was, and why it stopped the sweep, regardless of nodes with another store. */
export async function readScan(reader: Reader): Promise<Pick<SweepStatus, 'scannedAt' | 'stopped'>> {
  const { doneAt, state } = await readScheduledJob<SweepState>(reader, 'sweep');
  return { scannedAt: doneAt, stopped: state?.stopped ?? null };
}
