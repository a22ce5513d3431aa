/** How long to wait until the page is as tall as it was. */
const TIMEOUT_MS = 3000;
/** After this many frames at the right position the scroll is stable. */
const STABLE_FRAMES = 12;

const tops = new Map<string, number>();
let restoring = 0;

/**
 * Restores the scroll position on a step back, also on a slow phone. Browsers try only once, which fails while the page
 * is not tall enough yet. Skips screens that restore their position themselves (`history.scrollRestoration`).
 */
export function restoreScrollOnBack(): void {
  window.addEventListener('scroll', () => restoring === 0 && tops.set(historyKey(), window.scrollY), { passive: true });
  window.addEventListener('popstate', () => {
    const top = tops.get(historyKey());
    if (top !== undefined && history.scrollRestoration === 'auto') restore(top);
  });
  for (const type of ['wheel', 'touchstart', 'keydown', 'pointerdown', 'pushState']) {
    window.addEventListener(type, stop, { passive: true });
  }
}

function historyKey(): string {
  return 'navigation' in window ? (navigation.currentEntry?.key ?? '') : location.href;
}

function restore(top: number): void {
  stop();
  const deadline = performance.now() + TIMEOUT_MS;
  let stable = 0;
  const step = () => {
    stable = Math.abs(window.scrollY - top) < 2 ? stable + 1 : 0;
    if (stable > STABLE_FRAMES || performance.now() > deadline) return stop();
    if (stable === 0) window.scrollTo({ top, behavior: 'instant' });
    restoring = requestAnimationFrame(step);
  };
  restoring = requestAnimationFrame(step);
}

function stop(): void {
  cancelAnimationFrame(restoring);
  restoring = 0;
}
