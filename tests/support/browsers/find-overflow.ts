import type { Tab } from './tab.ts';

/** A window of this size is checked: the smallest phone, a tablet, a desktop. */
export const SIZES = [
  [360, 780],
  [768, 1024],
  [1280, 800],
] as const;

/** Finds what sticks out of the window at the right. Returns one line per element, none if nothing does. */
export function findOverflow(tab: Tab): Promise<string[]> {
  return tab.evaluate(async () => {
    // The layout of a new size is there with the next frame but one.
    for (const _ of [1, 2]) await new Promise((done) => requestAnimationFrame(done));
    const excess = document.documentElement.scrollWidth - innerWidth;
    if (excess <= 0) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 0.5,
    );
    return [`wider by ${excess} px`, ...wide.map(({ outerHTML }) => outerHTML.slice(0, 120))];
  });
}
