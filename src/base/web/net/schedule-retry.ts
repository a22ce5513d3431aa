/** The longest time between two attempts, in milliseconds. */
const RETRY_MS = 15_000;

/**
 * Schedules another attempt: when the browser is online again, at the latest after 15 seconds.
 * @returns a function that cancels it
 */
export function scheduleRetry(retry: () => void): () => void {
  const run = () => {
    cancel();
    retry();
  };
  const timer = setTimeout(run, RETRY_MS);
  addEventListener('online', run);
  const cancel = () => {
    clearTimeout(timer);
    removeEventListener('online', run);
  };
  return cancel;
}

/** Attempts something now, and again as `scheduleRetry` does until the returned function is called. */
export function keepTrying(attempt: () => void): () => void {
  attempt();
  let cancel: () => void;
  const schedule = () => {
    cancel = scheduleRetry(() => {
      schedule();
      attempt();
    });
  };
  schedule();
  return () => cancel();
}
