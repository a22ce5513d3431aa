import { MINUTE } from '../time.ts';
import type { Deps } from './deps.ts';
import { type ScheduledJobName, saveScheduledJob, takeJobLease } from './job-store.ts';

const LEASE_MS = 2 * MINUTE;
const RENEW_MS = MINUTE / 2;

interface LeaseDeps extends Pick<Deps, 'db' | 'now'> {
  readonly log?: Deps['log'];
}

/** A lease that this node holds. */
export interface Lease {
  /** Whether this node still holds it. Work checks this before each step that deletes something. */
  readonly isHeld: () => boolean;
  /** The claim owner, with which `saveScheduledJob` saves nothing once another node has taken the lease. */
  readonly owner: string;
}

/**
 * Runs `work` while this node holds the lease on a job, so that only one node does it. The lease is renewed while the
 * work runs, and the lease of a dead node expires after `leaseMs`. The claim owner is a fencing token: a node that was
 * stopped for longer than its lease can't renew or release the lease of the next owner.
 * @returns the result of `work`; null if another node holds the lease, and so did not run `work`
 */
export async function withLease<T>(
  { db, now, log }: LeaseDeps,
  name: ScheduledJobName,
  work: (lease: Lease) => Promise<T>,
  leaseMs = LEASE_MS,
): Promise<{ readonly result: T } | null> {
  const startedAt = now();
  let heldUntil = startedAt + leaseMs;
  const owner = await db.write((tx) => takeJobLease(tx, name, startedAt, heldUntil));
  if (owner === null) return null;
  let isLost = false;
  const extend = async (until: number) => {
    if (isLost) return;
    isLost = !(await db.write((tx) => saveScheduledJob(tx, name, { heldUntil: until, owner })));
    heldUntil = until;
  };
  let renewing: Promise<void> = Promise.resolve();
  const renewal = setInterval(() => {
    // The next renewal retries a failed one, until the lease expires.
    renewing = renewing
      .then(() => extend(now() + leaseMs))
      .catch((error: unknown) => log?.warn({ err: error, name }, 'a lease could not be renewed'));
  }, RENEW_MS);
  renewal.unref();
  try {
    return { result: await work({ owner, isHeld: () => !isLost && now() < heldUntil }) };
  } finally {
    clearInterval(renewal);
    await renewing;
    await extend(0).catch((error: unknown) => log?.warn({ err: error, name }, 'a lease ends by its time alone'));
  }
}
