import type { Tab } from './tab.ts';

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
