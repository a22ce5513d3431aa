import { randomUUID } from 'node:crypto';
import { MINUTE } from '../../durations.ts';
import type { Writer } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { type ScheduledJobName, saveScheduledJob, takeJobLease } from './job-store.ts';

const LEASE_MS = 2 * MINUTE;
const RENEW_MS = MINUTE / 2;

interface LeaseDeps extends Pick<Deps, 'db' | 'now'> {
  readonly log?: Pick<Deps['log'], 'warn'>;
}

/** The row in which a lease is kept: its owner, and when it ends. */
export interface LeaseRow {
  readonly name: string;
  /** Takes the lease if it is free or has ended. @returns whether it did */
  take(tx: Writer, owner: string, times: { readonly now: number; readonly until: number }): Promise<boolean>;
  /** Moves the end of the lease; 0 ends it. @returns false if another owner has taken it */
  extend(tx: Writer, owner: string, until: number): Promise<boolean>;
}

/** A lease that this node holds. */
export interface Lease {
  /** Whether this node still holds it. Work checks this before each step that deletes something. */
  readonly isHeld: () => boolean;
  /** The claim owner, with which `saveScheduledJob` saves nothing once another node has taken the lease. */
  readonly owner: string;
}

/** A lease that its holder ends. */
export interface HeldLease extends Lease {
  /** Stops renewing it, and frees it. If that fails, it ends by its time alone. Never throws. */
  end(): Promise<void>;
}

/**
 * Takes a lease, so that only one node does something, and renews it until it is ended. The lease of a dead node expires
 * after `leaseMs`. Its owner is a fencing token: a node that was stopped for longer than its lease can't renew or end the
 * lease of the next owner.
 * @returns null if another node holds it
 */
export async function takeLease(
  { db, now, log }: LeaseDeps,
  row: LeaseRow,
  { leaseMs, renewMs }: { readonly leaseMs: number; readonly renewMs: number },
): Promise<HeldLease | null> {
  const owner = randomUUID();
  const startedAt = now();
  let heldUntil = startedAt + leaseMs;
  if (!(await db.write((tx) => row.take(tx, owner, { now: startedAt, until: heldUntil })))) return null;
  let isLost = false;
  const extend = async (until: number) => {
    if (isLost) return;
    isLost = !(await db.write((tx) => row.extend(tx, owner, until)));
    heldUntil = until;
  };
  let renewing: Promise<void> = Promise.resolve();
  const renewal = setInterval(() => {
    // The next renewal retries a failed one, until the lease expires.
    renewing = renewing
      .then(() => extend(now() + leaseMs))
      .catch((error: unknown) => log?.warn({ err: error, name: row.name }, 'a lease could not be renewed'));
  }, renewMs);
  renewal.unref();
  return {
    owner,
    isHeld: () => !isLost && now() < heldUntil,
    end: async () => {
      clearInterval(renewal);
      await renewing;
      await extend(0).catch((error: unknown) =>
        log?.warn({ err: error, name: row.name }, 'a lease ends by its time alone'),
      );
    },
  };
}

/**
 * Runs `work` while this node holds the lease on a job.
 * @returns the result of `work`; null if another node holds the lease, and so did not run `work`
 */
export async function withLease<T>(
  deps: LeaseDeps,
  name: ScheduledJobName,
  work: (lease: Lease) => Promise<T>,
  leaseMs = LEASE_MS,
): Promise<{ readonly result: T } | null> {
  const lease = await takeLease(deps, rowOf(name), { leaseMs, renewMs: RENEW_MS });
  if (lease === null) return null;
  try {
    return { result: await work(lease) };
  } finally {
    await lease.end();
  }
}

function rowOf(name: ScheduledJobName): LeaseRow {
  return {
    name,
    take: (tx, owner, times) => takeJobLease(tx, name, owner, times),
    extend: (tx, owner, until) => saveScheduledJob(tx, name, { heldUntil: until, owner }),
  };
}
