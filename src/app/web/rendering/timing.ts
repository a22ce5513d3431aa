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

/** Resolves when the HTML is parsed. */
export async function domReady(): Promise<void> {
  if (document.readyState !== 'loading') return;
  await new Promise((done) => document.addEventListener('DOMContentLoaded', done));
}

/** The longest wait for a paint: a photograph can be slow, and a background tab never paints. */
const PAINT_TIMEOUT_MS = 1500;

/** Resolves when the page is painted, its leading photograph included. */
export async function painted(): Promise<void> {
  const lead = document.querySelector<HTMLImageElement>('img[fetchpriority=high]');
  const frames = new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await Promise.race([Promise.all([lead?.decode().catch(() => undefined), frames]), delay(PAINT_TIMEOUT_MS)]);
}
