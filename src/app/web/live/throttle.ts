import { delay } from '../start/delay.ts';

/** At most one refetch per interval, however many photographs arrive in a row. */
const AT_MOST_EVERY_MS = 400;
/** A refetch that takes longer than this may be interrupted by the next one. */
const STALLED_MS = 10_000;

/**
 * Calls back at once, then at most once per interval with all that came since the last call. It waits until the last
 * call's refetch is done, because the next one interrupts it: on a slow connection, none of them would ever finish.
 */
export function throttle<T>(callback: (all: ReadonlySet<T>) => Promise<void>): (one: T) => void {
  let waiting = new Set<T>();
  let isBusy = false;
  const flush = async () => {
    isBusy = true;
    while (waiting.size > 0) {
      const all = waiting;
      waiting = new Set();
      const done = callback(all);
      await delay(AT_MOST_EVERY_MS);
      await Promise.race([done, delay(STALLED_MS)]);
    }
    isBusy = false;
  };
  return (one) => {
    waiting.add(one);
    if (!isBusy) void flush();
  };
}
