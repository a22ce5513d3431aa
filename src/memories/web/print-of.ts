import type { PrintProps } from '../../kit/web/album/print.tsx';
import { paths } from '../../paths.ts';
import type { Memory } from '../contract.ts';

/**
 * The properties of a memory's print outside the gallery, which leads to the memory.
 * @param blurOf an argument, because the dashboard loads the decoder late
 */
export function printOf(
  { id, width, height, thumbHash, caption }: Memory,
  blurOf: (thumbHash: string) => string | undefined,
) {
  const label = caption === null ? 'View memory' : `View memory: ${caption}`;
  return {
    width,
    height,
    blur: () => blurOf(thumbHash),
    caption,
    view: { label, href: paths.memory(id) },
  } satisfies PrintProps;
}
