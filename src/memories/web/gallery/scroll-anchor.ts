import type { ScrollAnchor } from '../../gallery-layout.ts';

/** Scrolling must rest so long before its place is written down: browsers refuse too many writes in a row. */
const REST_MS = 150;

interface Kept {
  /** Null where the gallery's beginning was in sight; then the page's own scroll counts. */
  readonly spot: ScrollAnchor | null;
  readonly top: number;
}

let writing: ReturnType<typeof setTimeout> | undefined;

/**
 * Where the gallery was when this entry of history was left, by a reload too. The page's scroll is put back at once
 * where that says it all.
 */
export function restoreScrollAnchor(): ScrollAnchor | null {
  const kept = (history.state as { gallery?: Kept } | null)?.gallery;
  if (!kept) return null;
  if (kept.spot === null) window.scrollTo({ top: kept.top, behavior: 'instant' });
  return kept.spot;
}

/**
 * While this runs, the place is ours to put back: the browser only knows a number of pixels, which mean another place
 * when heights are guessed anew. Answers how to end it.
 */
export function manageScrollRestoration(): () => void {
  history.scrollRestoration = 'manual';
  return () => {
    clearTimeout(writing);
    history.scrollRestoration = 'auto';
  };
}

/** Writes the place into the present entry of history, once the scrolling rests. */
export function saveScrollAnchor(spot: ScrollAnchor | null): void {
  clearTimeout(writing);
  writing = setTimeout(() => {
    const gallery: Kept = { spot, top: window.scrollY };
    history.replaceState({ ...(history.state as object | null), gallery }, '');
  }, REST_MS);
}
