import { lastIndexWhere, type Sheet } from './album.ts';

/** Where in the gallery one is: on a sheet, so many pixels below its top, or a few above it. */
export interface ScrollAnchor {
  readonly key: string;
  readonly by: number;
}

/** What of the gallery is drawn: sheets from `first` to `last`, with so many pixels of others before and after. */
export interface SheetRange {
  readonly first: number;
  readonly last: number;
}

/** So many tiles are in the document at most. */
const MAX_TILES = 150;

/** Where each sheet begins, in pixels from the first; one more, for the end of all. */
export function sheetOffsets(heights: readonly number[]): Float64Array {
  const offsets = new Float64Array(heights.length + 1);
  heights.forEach((height, n) => {
    offsets[n + 1] = (offsets[n] as number) + height;
  });
  return offsets;
}

/** On which sheet a height is. */
export function sheetAtOffset(offsets: Float64Array, y: number): number {
  return lastIndexWhere(offsets.length - 1, (n) => (offsets[n] as number) <= y);
}

/**
 * The sheets between two heights; and where that leaves room for more tiles, those within so many pixels around them.
 */
export function sheetsToRender(
  sheets: readonly Sheet[],
  offsets: Float64Array,
  { from, to, ahead }: { from: number; to: number; ahead: number },
): SheetRange {
  let [first, last] = [sheetAtOffset(offsets, from), sheetAtOffset(offsets, to)];
  let tiles = 0;
  for (let n = first; n <= last; n += 1) tiles += sheets[n]?.count ?? 0;
  const room = (n: number) => tiles + (sheets[n]?.count ?? 0) <= MAX_TILES;
  const take = (n: number) => {
    tiles += sheets[n]?.count ?? 0;
    return n;
  };
  while (last + 1 < sheets.length && (offsets[last + 1] as number) < to + ahead && room(last + 1))
    last = take(last + 1);
  while (first > 0 && (offsets[first] as number) > from - ahead && room(first - 1)) first = take(first - 1);
  return { first, last };
}

/** A sheet that ends within so many pixels is as good as past: pixels are rounded when one scrolls to the next. */
export const ROUNDING_SLACK = 8;

/** The spot at a height. */
export function anchorAt(sheets: readonly Sheet[], offsets: Float64Array, y: number): ScrollAnchor | null {
  const at = sheetAtOffset(offsets, y + ROUNDING_SLACK);
  const sheet = sheets[at];
  return sheet ? { key: sheet.key, by: y - (offsets[at] as number) } : null;
}

/** The height of a spot; null where its sheet is no more. */
export function anchorOffset(
  sheets: readonly Sheet[],
  offsets: Float64Array,
  { key, by }: ScrollAnchor,
): number | null {
  const at = sheets.findIndex((sheet) => sheet.key === key);
  return at < 0 ? null : (offsets[at] as number) + by;
}
