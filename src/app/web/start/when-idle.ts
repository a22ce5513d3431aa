const POLL_MS = 100;

/**
 * Resolves when the page has loaded and has nothing urgent to do.
 * @param timeout the longest wait, in milliseconds
 */
export async function whenIdle(isBusy: () => boolean, timeout: number): Promise<void> {
  const start = performance.now();
  do await delay(POLL_MS);
  while ((document.readyState !== 'complete' || isBusy()) && performance.now() - start < timeout);
}

/** Waits for `ms` milliseconds. The default of 0 only yields to the browser. */
export function delay(ms = 0): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** The longest wait for a frame, in milliseconds: a page in the background paints none. */
export const FRAME_MS = 100;
