import { useLayoutEffect } from 'react';

/** What is on the page that changes the look of something outside of it. */
export type PageMark = 'empty' | 'float' | 'menu' | 'night' | 'save-bar' | 'wide-save-bar' | 'year';

const counts = new Map<PageMark, number>();

/**
 * Marks the document while a component is shown: `<html data-float>`. CSS could find the component by `:has()`, but at the
 * root that makes the browser style the whole page again at each change of the document.
 */
export function usePageMark(mark: PageMark, isShown = true): void {
  useLayoutEffect(() => {
    if (!isShown) return undefined;
    count(mark, 1);
    return () => count(mark, -1);
  }, [mark, isShown]);
}

function count(mark: PageMark, by: number): void {
  const shown = (counts.get(mark) ?? 0) + by;
  counts.set(mark, shown);
  document.documentElement.toggleAttribute(`data-${mark}`, shown > 0);
}
