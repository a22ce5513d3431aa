const LOOK_EVERY_MS = 100;

/**
 * Fulfilled when the page is loaded and has nothing urgent to do, or after so many milliseconds: for what may come last.
 */
export async function quiet(isBusy: () => boolean, atTheLatest: number): Promise<void> {
  const begun = performance.now();
  do await pause(LOOK_EVERY_MS);
  while ((document.readyState !== 'complete' || isBusy()) && performance.now() - begun < atTheLatest);
}

/** Lets go for so long; without a number no longer than whatever waits takes its turn. */
export function pause(ms = 0): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Once the page is read to its end: its scripts run as soon as they are here, which may be before. */
export async function whole(): Promise<void> {
  if (document.readyState !== 'loading') return;
  await new Promise((done) => document.addEventListener('DOMContentLoaded', done));
}
