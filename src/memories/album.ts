import type { Memory } from './contract.ts';
import type { MemorySort } from './rules.ts';

/** How many memories follow one another and are of one month; null for a list that has no months. */
export interface MonthCount {
  readonly month: string | null;
  readonly count: number;
  /** The page from here on begins with it; null where that is the list's own beginning. */
  readonly cursor: string | null;
}

/**
 * A sheet of the album: so many memories of one month as are drawn, fetched and let go together. Where every sheet lies
 * follows from the months' counts alone, so the gallery's whole height is known before more than a page is loaded.
 */
export interface Sheet {
  /** The same for as long as nothing older than it in its month changes: sheets are counted from a month's oldest. */
  readonly key: string;
  readonly month: string | null;
  /** It is the first of its month in the list, or the last. */
  readonly opens: boolean;
  readonly closes: boolean;
  /** The place in the whole list of its first memory, from 0. */
  readonly from: number;
  readonly count: number;
}

/** A list of memories of which some sheets are loaded. */
export interface Album {
  readonly total: number;
  readonly months: readonly MonthCount[];
  readonly sheets: readonly Sheet[];
  readonly loaded: ReadonlyMap<string, readonly Memory[]>;
  /** Cursors that pages ended with, by the place of what follows them. */
  readonly ends: ReadonlyMap<number, string>;
  /** Deleted a moment ago, and to be shown no more. */
  readonly deleted: ReadonlySet<string>;
}

/** Memories as the server answers them: a stretch of a list, and the cursor of what follows. */
export interface Page {
  readonly memories: readonly Memory[];
  readonly next: string | null;
}

/** What is to be fetched: so many from after a cursor on, some passed over. */
export interface PageRequest {
  readonly cursor: string | null;
  readonly skip: number;
  readonly count: number;
  readonly sheets: readonly Sheet[];
}

/** Memories to a sheet; what is left over of a month is one with at least MIN_SHEET, so that its rows can be filled. */
const SHEET_SIZE = 24;
const MIN_SHEET = 9;
/** The largest first sheet: with so many fetched it is there whatever the month's count. */
export const FIRST_COUNT = SHEET_SIZE + MIN_SHEET - 1;
/** One request brings at most so many. */
const MAX_PER_REQUEST = 96;
/** So many sheets are kept in memory, those about what was looked at last. */
const MAX_LOADED = 32;

/** The album of a list with these months, of which nothing is loaded. */
export function emptyAlbum(months: readonly MonthCount[], sort: MemorySort): Album {
  const total = months.reduce((sum, { count }) => sum + count, 0);
  return {
    total,
    months,
    sheets: sheetsOf(months, sort),
    loaded: new Map(),
    ends: new Map(),
    deleted: new Set(),
  };
}

function sheetsOf(months: readonly MonthCount[], sort: MemorySort): Sheet[] {
  const sheets: Sheet[] = [];
  let from = 0;
  for (const { month, count } of months) {
    const sizes = sizesOf(count);
    // Newest first, the month begins with what was left over: there, where photographs are added.
    const order = sort === 'date-desc' ? sizes.toReversed() : sizes;
    order.forEach((size, n) => {
      const fromOldest = sort === 'date-desc' ? order.length - 1 - n : n;
      const [opens, closes] = [n === 0, n === order.length - 1];
      sheets.push({ key: `${month ?? ''}/${fromOldest}`, month, opens, closes, from, count: size });
      from += size;
    });
  }
  return sheets;
}

/** The sheets' sizes of a month, from its oldest on. */
function sizesOf(count: number): number[] {
  const whole = Math.max(0, Math.floor((count - MIN_SHEET) / SHEET_SIZE));
  return [...Array.from({ length: whole }, () => SHEET_SIZE), count - whole * SHEET_SIZE];
}

/** Which sheet a place of the list is on, by its index; the last one for what lies behind the end. */
export function sheetIndexAt(sheets: readonly Sheet[], place: number): number {
  return lastIndexWhere(sheets.length, (n) => (sheets[n] as Sheet).from <= place);
}

/** The last of `length` indexes for which `holds`, which holds up to some index and not beyond; at least 0. */
export function lastIndexWhere(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The memory at a place of the list; undefined where it is not loaded, or deleted. */
export function memoryAt(album: Album, place: number): Memory | undefined {
  const sheet = album.sheets[sheetIndexAt(album.sheets, place)];
  const memory = sheet && album.loaded.get(sheet.key)?.[place - sheet.from];
  return memory && !album.deleted.has(memory.id) ? memory : undefined;
}

/** What is shown of a sheet; undefined where it is not loaded. */
export function memoriesOf(album: Album, sheet: Sheet): readonly Memory[] | undefined {
  const memories = album.loaded.get(sheet.key);
  if (!memories?.some(({ id }) => album.deleted.has(id))) return memories;
  return memories.filter(({ id }) => !album.deleted.has(id));
}

/** How many memories are shown in all. */
export function shownCount(album: Album): number {
  return album.total - album.deleted.size;
}

/** The requests that bring those of some sheets that are not loaded; neighbours come together. */
export function requestsFor(album: Album, keys: ReadonlySet<string>): PageRequest[] {
  const requests: Sheet[][] = [];
  for (const sheet of album.sheets) {
    if (!keys.has(sheet.key) || album.loaded.has(sheet.key)) continue;
    const last = requests.at(-1);
    const count = (last ?? []).reduce((sum, one) => sum + one.count, sheet.count);
    const end = last?.at(-1);
    if (last && end && end.from + end.count === sheet.from && count <= MAX_PER_REQUEST) last.push(sheet);
    else requests.push([sheet]);
  }
  return requests.map((sheets) => ({
    ...startOf(album, sheets[0] as Sheet),
    count: sheets.reduce((sum, one) => sum + one.count, 0),
    sheets,
  }));
}

/** From where a sheet is fetched: after the page before it where that is known, else from its month's edge. */
function startOf({ months, ends }: Album, sheet: Sheet): { cursor: string | null; skip: number } {
  const cursor = ends.get(sheet.from);
  if (cursor !== undefined) return { cursor, skip: 0 };
  let from = 0;
  for (const month of months) {
    if (month.month === sheet.month) return { cursor: month.cursor, skip: sheet.from - from };
    from += month.count;
  }
  return { cursor: null, skip: sheet.from };
}

/** The album with a page that begins at a place: of the sheets that are whole on it; those far from it are let go. */
export function withPage(album: Album, from: number, { memories, next }: Page): Album {
  const loaded = new Map(album.loaded);
  const end = from + memories.length;
  const first = sheetIndexAt(album.sheets, from);
  for (let n = first; n < album.sheets.length; n += 1) {
    const sheet = album.sheets[n] as Sheet;
    if (sheet.from + sheet.count > end) break;
    if (sheet.from >= from) loaded.set(sheet.key, memories.slice(sheet.from - from, sheet.from - from + sheet.count));
  }
  const ends = new Map(album.ends);
  if (next !== null) ends.set(end, next);
  return { ...album, loaded: nearest(album.sheets, loaded, from), ends };
}

function nearest(
  sheets: readonly Sheet[],
  loaded: ReadonlyMap<string, readonly Memory[]>,
  place: number,
): ReadonlyMap<string, readonly Memory[]> {
  if (loaded.size <= MAX_LOADED) return loaded;
  const kept = sheets
    .filter(({ key }) => loaded.has(key))
    .sort((a, b) => Math.abs(a.from - place) - Math.abs(b.from - place))
    .slice(0, MAX_LOADED);
  return new Map(kept.map(({ key }) => [key, loaded.get(key) ?? []]));
}

/** The album without a memory, until it is fetched anew; the same one where it does not hold it. */
export function withoutMemory(album: Album, id: string): Album {
  for (const memories of album.loaded.values()) {
    if (memories.some((memory) => memory.id === id)) return { ...album, deleted: new Set([...album.deleted, id]) };
  }
  return album;
}

/** A memory's place in its list, or the sheet that has to be loaded to go on looking for it; null where it is not in the list. */
export type Search = { readonly place: number } | { readonly load: Sheet } | null;

/**
 * Looks for a memory by its own position in the list's order: a binary search over the sheets of its month, or over all
 * of them where the list has no months. Loading the named sheet and asking again leads to the end in a few steps.
 * @param month the memory's month as the album counts them
 */
export function searchMemory(album: Album, memory: Memory, month: string, sort: MemorySort): Search {
  const sheets = album.sheets.filter((sheet) => sheet.month === null || sheet.month === month);
  let [low, high] = [0, sheets.length - 1];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const sheet = sheets[middle] as Sheet;
    const memories = album.loaded.get(sheet.key);
    if (!memories) return { load: sheet };
    const within = memories.findIndex(({ id }) => id === memory.id);
    if (within >= 0) return album.deleted.has(memory.id) ? null : { place: sheet.from + within };
    const [first, last] = [memories.at(0), memories.at(-1)];
    if (first && isBefore(memory, first, sort)) high = middle - 1;
    else if (last && isBefore(last, memory, sort)) low = middle + 1;
    else return null;
  }
  return null;
}

/** Whether one memory stands before another in a list: the server's order, in which ids break ties. */
function isBefore(one: Memory, other: Memory, sort: MemorySort): boolean {
  const value = ({ uploadedAt, fileSizeBytes }: Memory) => (sort === 'size' ? fileSizeBytes : Date.parse(uploadedAt));
  const difference = value(one) - value(other) || (one.id < other.id ? -1 : 1);
  return sort === 'date-asc' ? difference < 0 : difference > 0;
}

/**
 * Where the slide that is shown stands now: by its id, for the list may have grown or shrunk before it; where it is
 * deleted, at the place it had, which is that of the one after it.
 */
export function placeOf(album: Album, last: { readonly id: string | null; readonly place: number }): number {
  for (const { key, from } of album.sheets) {
    const within = album.loaded.get(key)?.findIndex(({ id }) => id === last.id) ?? -1;
    if (within >= 0) return from + within;
  }
  return last.place < album.total ? last.place : 0;
}
