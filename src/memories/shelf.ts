import { lastIndexWhere, type Sheet } from './album.ts';

/** Where in the gallery one is: on a sheet, so many pixels below its top, or a few above it. */
export interface Spot {
  readonly key: string;
  readonly by: number;
}

/** What of the gallery is drawn: sheets from `first` to `last`, with so many pixels of others before and after. */
export interface Drawn {
  readonly first: number;
  readonly last: number;
}

/** So many tiles are in the document at most. */
const MOST_TILES = 150;

/** Where each sheet begins, in pixels from the first; one more, for the end of all. */
export function topsOf(heights: readonly number[]): Float64Array {
  const tops = new Float64Array(heights.length + 1);
  heights.forEach((height, n) => {
    tops[n + 1] = (tops[n] as number) + height;
  });
  return tops;
}

/** On which sheet a height is. */
export function indexAt(tops: Float64Array, y: number): number {
  return lastIndexWhere(tops.length - 1, (n) => (tops[n] as number) <= y);
}

/**
 * The sheets between two heights; and where that leaves room for more tiles, those within so many pixels around them.
 */
export function drawnBetween(
  sheets: readonly Sheet[],
  tops: Float64Array,
  { from, to, ahead }: { from: number; to: number; ahead: number },
): Drawn {
  let [first, last] = [indexAt(tops, from), indexAt(tops, to)];
  let tiles = 0;
  for (let n = first; n <= last; n += 1) tiles += sheets[n]?.count ?? 0;
  const room = (n: number) => tiles + (sheets[n]?.count ?? 0) <= MOST_TILES;
  const take = (n: number) => {
    tiles += sheets[n]?.count ?? 0;
    return n;
  };
  while (last + 1 < sheets.length && (tops[last + 1] as number) < to + ahead && room(last + 1)) last = take(last + 1);
  while (first > 0 && (tops[first] as number) > from - ahead && room(first - 1)) first = take(first - 1);
  return { first, last };
}

/** A sheet that ends within so many pixels is as good as past: pixels are rounded when one scrolls to the next. */
export const NEARLY_PAST = 8;

/** The spot at a height. */
export function spotAt(sheets: readonly Sheet[], tops: Float64Array, y: number): Spot | null {
  const at = indexAt(tops, y + NEARLY_PAST);
  const sheet = sheets[at];
  return sheet ? { key: sheet.key, by: y - (tops[at] as number) } : null;
}

/** The height of a spot; null where its sheet is no more. */
export function heightOf(sheets: readonly Sheet[], tops: Float64Array, { key, by }: Spot): number | null {
  const at = sheets.findIndex((sheet) => sheet.key === key);
  return at < 0 ? null : (tops[at] as number) + by;
}
