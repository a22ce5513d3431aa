import { DAY, HOUR } from '../../durations.ts';
import type { Deps } from '../deps.ts';
import { readScheduledJob, recordScheduledJob } from './job-store.ts';

/** A server that runs once a week is not suspected. */
const MAX_GAP_MS = 8 * DAY;
/** After a jump, how long somebody has to notice and set the clock. */
const WAIT_MS = DAY;
/** How often a good time is saved, and by how much the clocks of nodes may differ. */
const PRECISION_MS = HOUR;

/** The stored state of the check, beside the last good time. */
interface ClockState {
  /** When a clock was first found to have jumped ahead, by that clock; null while all is well. */
  readonly jumpedAt: number | null;
}

/**
 * Whether this node's clock may decide that something has expired and is deleted for good. A clock that is more than
 * eight days ahead of the last good time, of any node, is believed only once a day has passed since that was noticed: a
 * clock that is wrong by a month would empty every trash at once. Call it before each round of such a job.
 */
export async function isClockTrusted({ db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>): Promise<boolean> {
  const { doneAt, state } = await readScheduledJob<ClockState>(db.read, 'clock');
  // Older versions recorded only the daily scan.
  const goodAt = doneAt ?? (await readScheduledJob(db.read, 'sweep')).doneAt;
  const jumpedAt = state?.jumpedAt ?? null;
  const at = now();
  const save = (good: number, jumped: number | null) =>
    db.write((tx) =>
      recordScheduledJob(tx, 'clock', { doneAt: good, state: { jumpedAt: jumped } satisfies ClockState }),
    );
  const isAhead = goodAt !== null && at - goodAt > MAX_GAP_MS;
  const noticedAt = jumpedAt !== null && jumpedAt <= at ? jumpedAt : null;
  if (isAhead && noticedAt === null) await save(goodAt, at);
  if (isAhead && (noticedAt === null || at - noticedAt < WAIT_MS)) {
    log.error('the clock has jumped ahead by more than eight days; if it is right, deletions continue in a day');
    return false;
  }
  if (doneAt === null || jumpedAt !== null || Math.abs(at - doneAt) > PRECISION_MS) {
    await save(at, null).catch((error: unknown) => log.warn({ err: error }, 'the time could not be saved'));
  }
  return true;
}
