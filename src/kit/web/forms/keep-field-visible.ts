/** The space between a field and the keyboard or the bar, in pixels. */
const MARGIN = 12;

/**
 * Keeps the field that is being typed in visible when the keyboard opens: browsers scroll it to above the keyboard, but
 * not to above a bar that is fixed there.
 * @param bar returns the top of the bar in pixels, or null if it is not fixed
 * @returns a function that stops it
 */
export function keepFieldVisible(bar: () => number | null): () => void {
  const viewport = window.visualViewport;
  const update = () => {
    const field = document.activeElement;
    // A user who has zoomed in moves the view.
    if (!viewport || viewport.scale > 1.01 || !field?.matches('input, select, textarea')) return;
    const { top, bottom } = field.getBoundingClientRect();
    const start = viewport.offsetTop + MARGIN;
    const end = Math.min(viewport.offsetTop + viewport.height, bar() ?? Number.POSITIVE_INFINITY) - MARGIN;
    // Of a field that is taller than the space, the beginning is visible.
    if (bottom > end) window.scrollBy({ top: Math.min(bottom - end, top - start), behavior: 'instant' });
  };
  viewport?.addEventListener('resize', update);
  return () => viewport?.removeEventListener('resize', update);
}
