import { randomUUID } from 'node:crypto';
import { setTimeout as rest } from 'node:timers/promises';
import type { Lock, Locker, RequestRelease } from '@tus/server';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { type Hold, keepHold, releaseLease, takeHold } from './upload-store.ts';

/** A holder that says nothing for so long is dead. */
const LEASE_MS = 3_000;
const RENEW_MS = 500;
const ASK_MS = 100;
/** The holder may be judging a large photograph: who waits longer than this is told to come back. */
const PATIENCE_MS = 5_000;

/**
 * One request at a time on each upload, on whichever node: the hold is kept in the upload's row. A request that comes
 * while another is at it (a phone's new connection, while the old one has not yet been given up) makes the other end.
 * What is stored does not rest on it, for a holder may be stopped and go on when its hold has run out: a piece counts
 * only where the upload has not grown meanwhile, and the photograph is kept only where the upload is not settled yet.
 */
export function uploadLocker({ db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>, coupleId: CoupleId): Locker {
  return {
    newLock: (uploadId): Lock => {
      const hold: Hold = { coupleId, uploadId, by: randomUUID() };
      let renewal: NodeJS.Timeout | undefined;
      return {
        lock: async (signal, requestRelease) => {
          await untilTaken(() => takeHold(db, hold, { now: now(), until: now() + LEASE_MS }), signal);
          renewal = setInterval(() => {
            renew(requestRelease).catch((error: unknown) => log.warn({ err: error }, 'an upload is not held on to'));
          }, RENEW_MS);
          renewal.unref();
        },
        unlock: async () => {
          clearInterval(renewal);
          await releaseLease(db, hold);
        },
      };

      async function renew(requestRelease: RequestRelease): Promise<void> {
        if (await keepHold(db, hold, now() + LEASE_MS)) await requestRelease();
      }
    },
  };
}

/** The refusal of a request that has to wait for another one at the same upload. */
export function stillWorkedOn(): Refusal {
  return new Refusal(409, 'An earlier part of this upload is still being worked on.', { retryAfter: 1 });
}

async function untilTaken(take: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await take())) {
    if (signal.aborted || performance.now() > end) {
      throw stillWorkedOn();
    }
    await rest(ASK_MS);
  }
}
