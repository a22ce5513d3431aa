const LOOK_EVERY_MS = 100;

/**
 * Fulfilled when the page is loaded and has nothing urgent to do, or after so many milliseconds: for what may come last.
 */
export async function quiet(isBusy: () => boolean, atTheLatest: number): Promise<void> {
  const begun = performance.now();
  do await pause(LOOK_EVERY_MS);
  while ((document.readyState !== 'complete' || isBusy()) && performance.now() - begun < atTheLatest);
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
