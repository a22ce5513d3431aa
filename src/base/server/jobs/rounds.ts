/** Work that repeats. */
export interface Rounds {
  /** Finishes the round in progress; no other begins. */
  stop(): Promise<void>;
}

/**
 * Runs a round now and then every `everyMs` milliseconds, one after the other. A round handles its own errors.
 * @param round gets a function that says whether to stop early
 */
export function startRounds(everyMs: number, round: (isStopped: () => boolean) => Promise<void>): Rounds {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = running.then(() => (isStopped ? undefined : round(() => isStopped)));
  };
  run();
  const timer = setInterval(run, everyMs);
  timer.unref();
  return {
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
