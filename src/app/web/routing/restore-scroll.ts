/** How long a page may take until it is as tall as it was, in milliseconds. */
const PATIENCE_MS = 3000;
/** So many frames in a row at the right place: then it has come to rest. */
const AT_REST = 12;

const tops = new Map<string, number>();
let restoring = 0;

/**
 * A step back finds the scroll where it was, also on a slow phone: the browser restores it once, and gives up where the
 * page is not yet tall enough. Screens that keep their place themselves (`history.scrollRestoration`) are left alone.
 */
export function keepScroll(): void {
  window.addEventListener('scroll', () => restoring === 0 && tops.set(entry(), window.scrollY), { passive: true });
  window.addEventListener('popstate', () => {
    const top = tops.get(entry());
    if (top !== undefined && history.scrollRestoration === 'auto') restore(top);
  });
  for (const type of ['wheel', 'touchstart', 'keydown', 'pointerdown', 'pushState']) {
    window.addEventListener(type, stop, { passive: true });
  }
}

function entry(): string {
  return 'navigation' in window ? (navigation.currentEntry?.key ?? '') : location.href;
}

function restore(top: number): void {
  stop();
  const until = performance.now() + PATIENCE_MS;
  let rest = 0;
  const look = () => {
    rest = Math.abs(window.scrollY - top) < 2 ? rest + 1 : 0;
    if (rest > AT_REST || performance.now() > until) return stop();
    if (rest === 0) window.scrollTo({ top, behavior: 'instant' });
    restoring = requestAnimationFrame(look);
  };
  restoring = requestAnimationFrame(look);
}

function stop(): void {
  cancelAnimationFrame(restoring);
  restoring = 0;
}
