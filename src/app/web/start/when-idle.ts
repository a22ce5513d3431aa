import { delay } from './delay.ts';

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
