import type { ScrollAnchor } from '../../sheet-layout.ts';

/** How long scrolling must pause before the position is stored, since browsers limit history writes. */
const REST_MS = 150;

interface StoredPosition {
  /** Null if the start of the gallery was visible. Then `top`, the page's scroll position, counts. */
  readonly spot: ScrollAnchor | null;
  readonly top: number;
}

let writing: ReturnType<typeof setTimeout> | undefined;

/** The anchor stored in this history entry. If the start of the gallery was visible, it restores the page's scroll. */
export function restoreScrollAnchor(): ScrollAnchor | null {
  const kept = (history.state as { gallery?: StoredPosition } | null)?.gallery;
  if (!kept) return null;
  if (kept.spot === null) window.scrollTo({ top: kept.top, behavior: 'instant' });
  return kept.spot;
}

/**
 * Turns off the browser's scroll restoration, whose pixel position is wrong once heights are estimated again.
 * @returns a function that turns it on again
 */
export function manageScrollRestoration(): () => void {
  history.scrollRestoration = 'manual';
  return () => {
    clearTimeout(writing);
    history.scrollRestoration = 'auto';
  };
}

/** Stores the anchor in the current history entry once scrolling pauses. */
export function saveScrollAnchor(spot: ScrollAnchor | null): void {
  clearTimeout(writing);
  writing = setTimeout(() => {
    const gallery: StoredPosition = { spot, top: window.scrollY };
    history.replaceState({ ...(history.state as object | null), gallery }, '');
  }, REST_MS);
}
