import { GAPS, PAGE, PRINT } from './print-sizes.ts';

/*
 * Chooses the rows of photographs of a printed page, so that they fill it. No photograph is cropped: a row is as high as its
 * photographs are if they fill its width. All lengths are in millimeters.
 */

/** The height that a photograph has if it may choose, and the highest one. */
const IDEAL = 62;
const HIGHEST = 140;
/** The lowest one beside others. */
const LOWEST = 26;
const MOST_IN_ROW = 5;
/** The least width for a caption. Below a photograph alone it may be wider than the photograph. */
const CAPTION = { among: 32, alone: 90 } as const;
/** A row may be narrower than the page, if the page is then filled; one photograph alone also much narrower. */
const SCALES = { among: [1, 0.93, 0.86, 0.78], alone: [1, 0.93, 0.86, 0.78, 0.7, 0.6, 0.5, 0.4] } as const;

/** A photograph to print. */
export interface PhotographToPrint {
  /** Width by height. */
  readonly ratio: number;
  readonly caption: string | null;
}

/** A row of photographs of a page. */
export interface PrintedRow {
  readonly prints: readonly {
    /** The number of the photograph. */
    readonly photograph: number;
    /** Of the photograph with its border. */
    readonly width: number;
    /** Of the photograph and its caption: at least what the caption needs. */
    readonly room: number;
  }[];
  readonly height: number;
}

/** What is left of a page. */
export interface PageToFill {
  readonly height: number;
  /** Whether nothing is on the page yet: then it takes at least one photograph. */
  readonly isEmpty: boolean;
  /** The height of what belongs below the last photograph. */
  readonly after: number;
  /** If as much is left below the last photograph and what belongs there, something else fills it. */
  readonly enough: number;
  readonly captionHeight: (caption: string, width: number) => number;
}

/** A way to place the first photographs: a last row, and how the photographs before it are placed. */
interface Way {
  readonly height: number;
  readonly cost: number;
  readonly rowCount: number;
  readonly last: { readonly row: PrintedRow; readonly before: Way } | null;
}
/** The best ways by their heights in whole millimeters. */
type Ways = Map<number, Way>;

/** A row that may come next. */
interface Option {
  readonly row: PrintedRow;
  readonly cost: number;
}

/**
 * Returns the rows of a page whose first photograph is the one numbered `from`. It compares all ways to place photographs
 * on the page, by how far their sizes are from the ideal, and by what they leave empty. None may fit if little is left.
 */
export function fillPage(photographs: readonly PhotographToPrint[], from: number, page: PageToFill): PrintedRow[] {
  // By the number of placed photographs.
  const ways: (Ways | undefined)[] = [new Map([[0, { height: 0, cost: 0, rowCount: 0, last: null }]])];
  let best: { readonly way: Way; readonly cost: number } | undefined;
  for (let count = 0; count < ways.length; count += 1) {
    const reached = [...(ways[count]?.values() ?? [])];
    const more = photographs.length - from - count;
    for (const way of reached) {
      const cost = way.cost / way.rowCount + costOfRest(page, way.height, more);
      if (way.rowCount > 0 && (best === undefined || cost < best.cost)) best = { way, cost };
    }
    if (reached.length > 0) addRows(ways, count, optionsAt(photographs, from + count, page.captionHeight), page.height);
  }
  if (best !== undefined) return rowsOf(best.way);
  const first = photographs[from];
  return page.isEmpty && first !== undefined ? [lowRow(first, from, page)] : [];
}

/** Returns the height of the lowest row that begins with the first photograph. */
export function lowestRow(
  photographs: readonly PhotographToPrint[],
  captionHeight: PageToFill['captionHeight'],
): number {
  return Math.min(...optionsAt(photographs, 0, captionHeight).map(({ row }) => row.height));
}

function rowsOf({ last }: Way): PrintedRow[] {
  return last === null ? [] : [...rowsOf(last.before), last.row];
}

/** Extends the ways to place a number of photographs by each next row that fits. */
function addRows(ways: (Ways | undefined)[], count: number, options: readonly Option[], pageHeight: number): void {
  for (const way of ways[count]?.values() ?? []) {
    for (const { row, cost } of options) {
      const height = way.height + (way.rowCount === 0 ? 0 : GAPS.block) + row.height;
      if (height > pageHeight) continue;
      const there: Ways = (ways[count + row.prints.length] ??= new Map());
      const key = Math.ceil(height);
      const whole = way.cost + cost;
      const known = there.get(key);
      // Most ways lose, so only the better one is made.
      if (known !== undefined && known.cost <= whole) continue;
      there.set(key, { height, cost: whole, rowCount: way.rowCount + 1, last: { row, before: way } });
    }
  }
}

/** How bad it is what a page leaves empty below its rows, and that few photographs remain for the next page. */
function costOfRest({ height, after, enough }: PageToFill, used: number, more: number): number {
  const rest = height - used;
  const costOf = (empty: number) => 40 * (empty / PAGE.height) ** 2;
  if (more > 0) return costOf(rest) + (more < 3 ? 0.6 / more : 0);
  // What belongs there begins on the next page.
  if (rest < after) return costOf(rest) + 0.3;
  return rest - after >= enough ? 0 : costOf(rest - after) / 2;
}

/** The rows that may begin with a photograph. */
function optionsAt(
  photographs: readonly PhotographToPrint[],
  from: number,
  captionHeight: PageToFill['captionHeight'],
): Option[] {
  const options: Option[] = [];
  for (let count = 1; count <= MOST_IN_ROW && from + count <= photographs.length; count += 1) {
    const some = photographs.slice(from, from + count);
    for (const scale of count === 1 ? SCALES.alone : SCALES.among) {
      const option = optionOf(some, from, scale, captionHeight);
      if (option !== null) options.push(option);
    }
  }
  return options;
}

/** A row as wide as the page, scaled; null if its photographs or the room for their captions become too small. */
function optionOf(
  some: readonly PhotographToPrint[],
  from: number,
  scale: number,
  captionHeight: PageToFill['captionHeight'],
): Option | null {
  const isAlone = some.length === 1;
  const ratios = some.reduce((sum, { ratio }) => sum + ratio, 0);
  const full = (PAGE.width - (some.length - 1) * PRINT.gap - some.length * 2 * PRINT.border) / ratios;
  const inner = scale * Math.min(full, HIGHEST);
  if (!isAlone && inner < LOWEST) return null;
  let words = 0;
  const prints = some.map(({ ratio, caption }, n) => {
    const width = inner * ratio + 2 * PRINT.border;
    if (caption === null) return { photograph: from + n, width, room: width };
    const room = isAlone ? Math.max(width, CAPTION.alone) : width;
    words = room < CAPTION.among ? Number.POSITIVE_INFINITY : Math.max(words, captionHeight(caption, room));
    return { photograph: from + n, width, room };
  });
  if (words === Number.POSITIVE_INFINITY) return null;
  const cost = Math.log(inner / IDEAL) ** 2 + 1.5 * (1 - scale) + (words / 120) ** 2;
  return { row: { prints, height: inner + 2 * PRINT.border + words }, cost };
}

/** A photograph alone, so low that it fits on a page with its caption. */
function lowRow(
  { ratio, caption }: PhotographToPrint,
  photograph: number,
  { height, captionHeight }: PageToFill,
): PrintedRow {
  const frame = 2 * PRINT.border + (caption === null ? 0 : captionHeight(caption, PAGE.width));
  const inner = Math.max(LOWEST, Math.min((PAGE.width - 2 * PRINT.border) / ratio, height - frame));
  const width = inner * ratio + 2 * PRINT.border;
  return { prints: [{ photograph, width, room: PAGE.width }], height: inner + frame };
}
