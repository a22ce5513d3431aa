import { lastIndexWhere, type Sheet } from './paged-album.ts';

/** A scroll position: a sheet, and the pixels below its top (a few may be above it). */
export interface ScrollAnchor {
  readonly key: string;
  readonly by: number;
}

/** A range of sheets by index, both inclusive. */
export interface SheetRange {
  readonly first: number;
  readonly last: number;
}

/** The most tiles in the document. */
const MAX_TILES = 150;

/** The offset of each sheet in pixels, and of the end. */
export function sheetOffsets(heights: readonly number[]): Float64Array {
  const offsets = new Float64Array(heights.length + 1);
  heights.forEach((height, n) => {
    offsets[n + 1] = (offsets[n] as number) + height;
  });
  return offsets;
}

/** The index of the sheet at an offset in pixels. */
export function sheetAtOffset(offsets: Float64Array, y: number): number {
  return lastIndexWhere(offsets.length - 1, (n) => (offsets[n] as number) <= y);
}

/** The sheets between two offsets, and those within `ahead` pixels around them as far as {@link MAX_TILES} allows. */
export function sheetsToRender(
  sheets: readonly Sheet[],
  offsets: Float64Array,
  { from, to, ahead }: { from: number; to: number; ahead: number },
): SheetRange {
  let [first, last] = [sheetAtOffset(offsets, from), sheetAtOffset(offsets, to)];
  let tiles = 0;
  for (let n = first; n <= last; n += 1) tiles += sheets[n]?.count ?? 0;
  const fits = (n: number) => tiles + (sheets[n]?.count ?? 0) <= MAX_TILES;
  const add = (n: number) => {
    tiles += sheets[n]?.count ?? 0;
    return n;
  };
  while (last + 1 < sheets.length && (offsets[last + 1] as number) < to + ahead && fits(last + 1)) last = add(last + 1);
  while (first > 0 && (offsets[first] as number) > from - ahead && fits(first - 1)) first = add(first - 1);
  return { first, last };
}

/**
 * The sheets to render at once: the visible ones, and those of the wanted ones that are in the document already. The others
 * can follow in a later task.
 */
export function sheetsToRenderNow(visible: SheetRange, wanted: SheetRange, present: SheetRange): SheetRange {
  if (present.last < wanted.first || present.first > wanted.last) return visible;
  return {
    first: Math.max(wanted.first, Math.min(visible.first, present.first)),
    last: Math.min(wanted.last, Math.max(visible.last, present.last)),
  };
}

/** A sheet that ends within this many pixels counts as passed, since scrolling to the next one rounds pixels. */
export const ROUNDING_SLACK = 8;

/** The anchor at an offset in pixels; null without sheets. */
export function anchorAt(sheets: readonly Sheet[], offsets: Float64Array, y: number): ScrollAnchor | null {
  const at = sheetAtOffset(offsets, y + ROUNDING_SLACK);
  const sheet = sheets[at];
  return sheet ? { key: sheet.key, by: y - (offsets[at] as number) } : null;
}

/** The offset of an anchor in pixels; null if its sheet is gone. */
export function anchorOffset(
  sheets: readonly Sheet[],
  offsets: Float64Array,
  { key, by }: ScrollAnchor,
): number | null {
  const at = sheets.findIndex((sheet) => sheet.key === key);
  return at < 0 ? null : (offsets[at] as number) + by;
}
