import { MINUTE } from '../time.ts';
import type { Deps } from './deps.ts';
import { type ScheduledJobName, saveScheduledJob, takeJobLease } from './job-store.ts';

const LEASE_MS = 2 * MINUTE;
const RENEW_MS = MINUTE / 2;

/**
 * Runs `work` while this node holds the lease on a chore, so that one of several nodes does it. A lease is renewed
 * while the work takes; that of a node that died is free again after two minutes. A node that was stopped for longer
 * than its lease does not renew the next owner's.
 * @param work is told by `isHeld` whether it may go on; it asks before each step that deletes something
 * @returns false where another node has the lease, and nothing was done
 */
export async function withLease(
  { db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>,
  name: ScheduledJobName,
  work: (isHeld: () => boolean) => Promise<void>,
): Promise<boolean> {
  const startedAt = now();
  let heldUntil = startedAt + LEASE_MS;
  const owner = await db.write((tx) => takeJobLease(tx, name, startedAt, heldUntil));
  if (owner === null) return false;
  let isLost = false;
  const extend = async (until: number) => {
    if (isLost) return;
    isLost = !(await db.write((tx) => saveScheduledJob(tx, name, { heldUntil: until, owner })));
    heldUntil = until;
  };
  let renewing: Promise<void> = Promise.resolve();
  const renewal = setInterval(() => {
    // A renewal that fails is retried by the next one, as long as the lease lasts.
    renewing = renewing
      .then(() => extend(now() + LEASE_MS))
      .catch((error: unknown) => log.warn({ err: error, name }, 'a lease could not be renewed'));
  }, RENEW_MS);
  renewal.unref();
  try {
    await work(() => !isLost && now() < heldUntil);
  } finally {
    clearInterval(renewal);
    await renewing;
    await extend(0).catch((error: unknown) => log.warn({ err: error, name }, 'a lease ends by its time alone'));
  }
  return true;
}
