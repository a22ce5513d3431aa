import { DAY, HOUR } from '../time.ts';
import type { Deps } from './deps.ts';
import { readScheduledJob, recordScheduledJob } from './job-store.ts';

/** A server that runs once a week is not suspected. */
const MAX_GAP_MS = 8 * DAY;
/** After a jump, how long somebody has to notice and set the clock. */
const WAIT_MS = DAY;
/** Nodes whose clocks differ by less are alike. */
const MAX_SKEW_MS = HOUR;

/** The stored state of the check. */
interface ClockState {
  /** When the clock was found ahead, by itself; null if it wasn't. */
  readonly jumpedAt: number | null;
}

/**
 * Whether this node's clock may decide that something has expired and is deleted for good. A clock that is more than
 * eight days ahead of the last check, of any node, is believed only after another day: a clock that is wrong by a month
 * would empty every trash at once. Call it before each round of such a job.
 */
export async function isClockTrusted({ db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>): Promise<boolean> {
  const at = now();
  const { doneAt, state } = await readScheduledJob<ClockState>(db.read, 'clock');
  // Older versions recorded only the daily scan.
  const checkedAt = doneAt ?? (await readScheduledJob(db.read, 'sweep')).doneAt;
  const save = (jumpedAt: number | null) =>
    db.write((tx) => recordScheduledJob(tx, 'clock', { doneAt: at, state: { jumpedAt } satisfies ClockState }));
  const jumpedAt = state?.jumpedAt ?? null;
  const isAhead = checkedAt !== null && at - checkedAt > MAX_GAP_MS;
  if (isAhead || (jumpedAt !== null && at >= jumpedAt && at - jumpedAt < WAIT_MS)) {
    await save(isAhead ? at : jumpedAt);
    log.error(
      'the clock is more than eight days ahead of the last sweep; if it is right, what has expired is deleted in a day',
    );
    return false;
  }
  // A node that is a little behind must not set the check back.
  if (doneAt === null || at > doneAt || at < doneAt - MAX_SKEW_MS) await save(null);
  return true;
}
