import type { PrintProps } from '../../kit/web/album/print.tsx';
import type { Memory } from '../../memories/contract.ts';
import { paths } from '../../paths.ts';

/** The properties of a memory's print on the dashboard, which leads to the memory. */
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
