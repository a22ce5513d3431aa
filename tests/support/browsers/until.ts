import { setTimeout as pause } from 'node:timers/promises';

/** How long the page may take until it shows what a test expects: on a busy machine, its service worker takes longest. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 40;

/** Polls until `check` returns something other than undefined. `describe` says what is missing when time is over. */
export async function until<T>(check: () => Promise<T | undefined>, describe: () => string): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  let lastError = '';
  for (;;) {
    const begun = performance.now();
    try {
      const found = await check();
      if (found !== undefined) return found;
    } catch (error) {
      // The page is changing.
      lastError = ` (${String(error).slice(0, 500)})`;
    }
    if (performance.now() > deadline) throw new Error(`After ${TIMEOUT_MS / 1000} s: ${describe()}${lastError}`);
    // A check interrupts the page, which gets at least as much time for what it is waited for.
    await pause(Math.max(POLL_MS, performance.now() - begun));
  }
}
