import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lock, Locker, RequestRelease } from '@tus/server';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { acquireLock, releaseLease, renewLock, type UploadLock } from './upload-store.ts';

/** A holder that has not renewed its lock for this long counts as dead. */
const LEASE_MS = 3_000;
const RENEW_MS = 500;
const POLL_MS = 100;
/** The holder may be decoding a large photo. A request that waits longer than this gets 409 with Retry-After. */
const TIMEOUT_MS = 5_000;

/**
 * A lock per upload across all nodes, kept in the upload's row as a lease. A new request asks the holder to stop, as when
 * a phone has a new connection before the server notices that the old one is gone.
 *
 * Correctness does not depend on the lock, since a paused holder may continue after its lease ran out: a part counts only
 * if the upload has not grown since, and the photo is saved only if the upload is not settled.
 */
export function uploadLocker({ db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>, coupleId: CoupleId): Locker {
  return {
    newLock: (uploadId): Lock => {
      const lock: UploadLock = { coupleId, uploadId, by: randomUUID() };
      let renewal: NodeJS.Timeout | undefined;
      return {
        lock: async (signal, requestRelease) => {
          await waitUntil(() => acquireLock(db, lock, { now: now(), until: now() + LEASE_MS }), signal);
          renewal = setInterval(() => {
            renew(requestRelease).catch((error: unknown) =>
              log.warn({ err: error }, 'the lock of an upload could not be renewed'),
            );
          }, RENEW_MS);
          renewal.unref();
        },
        unlock: async () => {
          clearInterval(renewal);
          await releaseLease(db, lock);
        },
      };

      async function renew(requestRelease: RequestRelease): Promise<void> {
        if (await renewLock(db, lock, now() + LEASE_MS)) await requestRelease();
      }
    },
  };
}

/** The refusal of a request while another one holds the same upload. */
export function uploadInUse(): Refusal {
  return new Refusal(409, 'An earlier part of this upload is still being processed.', { retryAfter: 1 });
}

async function waitUntil(isAcquired: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await isAcquired())) {
    if (signal.aborted || performance.now() > deadline) throw uploadInUse();
    await sleep(POLL_MS);
  }
}
