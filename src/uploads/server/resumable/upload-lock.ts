import { setTimeout as sleep } from 'node:timers/promises';
import type { Lock, Locker, RequestRelease } from '@tus/server';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Db } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { type HeldLease, type LeaseRow, takeLease } from '../../../base/server/jobs/lease.ts';
import { uploadLease } from './upload-store.ts';

/** A holder that has not renewed its lease for this long counts as dead. */
const TIMES = { leaseMs: 5_000, renewMs: 2_000 } as const;
const POLL_MS = 250;
/**
 * A request that waits longer than this gets 409 with Retry-After: the holder may be decoding a large photo. The lease of a
 * dead holder ends before.
 */
const TIMEOUT_MS = 8_000;

/** How to ask the holders in this process to stop, of each database and by the upload's id. */
const holders = new WeakMap<Db, Map<string, RequestRelease>>();

/**
 * A lock per upload across all nodes, kept in the upload's row as a lease. A new request asks the holder to stop, as when
 * a phone has a new connection before the server notices that the old one is gone: at once in the same process, and with
 * the holder's next renewal on another node.
 *
 * Correctness does not depend on the lock, since a paused holder may continue after its lease ran out: a part counts only
 * if the upload has not grown since, and the photo is saved only if the upload is not settled.
 */
export function uploadLocker(deps: Pick<Deps, 'db' | 'now' | 'log'>, coupleId: CoupleId): Locker {
  const here = holders.get(deps.db) ?? new Map<string, RequestRelease>();
  holders.set(deps.db, here);
  return {
    newLock: (uploadId): Lock => {
      let lease: HeldLease | null = null;
      return {
        lock: async (signal, requestRelease) => {
          const row = uploadLease(coupleId, uploadId, () => void requestRelease());
          lease = await waitFor(deps, row, () => here.get(uploadId)?.(), signal);
          here.set(uploadId, requestRelease);
        },
        unlock: async () => {
          here.delete(uploadId);
          await lease?.end();
        },
      };
    },
  };
}

/** The refusal of a request while another one holds the same upload. */
export function uploadInUse(): Refusal {
  return new Refusal(409, 'An earlier part of this upload is still being processed.', { retryAfter: 1 });
}

async function waitFor(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
  row: LeaseRow,
  askHolder: () => unknown,
  signal: AbortSignal,
): Promise<HeldLease> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const lease = await takeLease(deps, row, TIMES);
    if (lease !== null) return lease;
    if (signal.aborted || performance.now() > deadline) throw uploadInUse();
    askHolder();
    await sleep(POLL_MS);
  }
}
