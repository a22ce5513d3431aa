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

/**
 * How many images inside of a selector have pixels: they are decoded, and drawn on a canvas they show more than one
 * color.
 */
export function countDecodedImages(tab: Tab, selector: string): Promise<number> {
  return tab.evaluate(async (where) => {
    const images = [...document.querySelectorAll<HTMLImageElement>(where)].filter(
      ({ naturalWidth }) => naturalWidth > 0,
    );
    const shown = await Promise.all(
      images.map(async (image) => {
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [16, 16];
        const context = canvas.getContext('2d');
        context?.drawImage(image, 0, 0, 16, 16);
        const pixels = new Uint32Array(context?.getImageData(0, 0, 16, 16).data.buffer ?? new ArrayBuffer(0));
        return new Set(pixels).size > 1;
      }),
    );
    return shown.filter(Boolean).length;
  }, selector);
}
