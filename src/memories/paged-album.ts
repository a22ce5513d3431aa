import type { Memory } from './contract.ts';
import { type MemorySort, ORDERS } from './sorts.ts';

/** The number of memories in a month. `month` is null for a list that has no months. */
export interface MonthCount {
  readonly month: string | null;
  readonly count: number;
  /** The cursor of its first page; null at the start of the list. */
  readonly cursor: string | null;
}

/**
 * A sheet: memories of one month that are fetched, rendered and dropped together. The sheets follow from the months'
 * counts, so the height of the whole gallery is known before more than a page is loaded.
 */
export interface Sheet {
  /** Stable while nothing older in its month changes: sheets are counted from a month's oldest memory. */
  readonly key: string;
  readonly month: string | null;
  /** Whether it is the first sheet of its month in the list. */
  readonly opens: boolean;
  /** Whether it is the last sheet of its month in the list. */
  readonly closes: boolean;
  /** The index of its first memory in the whole list. */
  readonly from: number;
  readonly count: number;
}

/** A list of memories, with some of its sheets loaded. */
export interface PagedAlbum {
  readonly total: number;
  readonly months: readonly MonthCount[];
  readonly sheets: readonly Sheet[];
  readonly loaded: ReadonlyMap<string, readonly Memory[]>;
  /** The cursors at the ends of loaded pages, by the index of the next memory. */
  readonly ends: ReadonlyMap<number, string>;
  /** The ids of memories that were just deleted and are hidden until the next fetch. */
  readonly deleted: ReadonlySet<string>;
}

/** A page of memories, and the cursor of the next one. */
export interface AlbumPage {
  readonly memories: readonly Memory[];
  readonly next: string | null;
}

/** A request for one page: `count` memories after a cursor and `skip` more, which fill `sheets`. */
export interface PageRequest {
  readonly cursor: string | null;
  readonly skip: number;
  readonly count: number;
  readonly sheets: readonly Sheet[];
}

/** Memories per sheet. The remainder of a month has at least MIN_SHEET, so that its rows can be filled. */
const SHEET_SIZE = 12;
const MIN_SHEET = 6;
/** The size of the first page. It fills the first sheet, and the second if the first is small. */
export const FIRST_COUNT = 2 * SHEET_SIZE;
/** The most memories in one request. */
const MAX_PER_REQUEST = 96;
/** The most sheets in memory: those nearest to the last page. */
const MAX_LOADED = 48;

/** The album of a list with these months and nothing loaded. */
export function emptyAlbum(months: readonly MonthCount[], sort: MemorySort): PagedAlbum {
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
    // Newest first, a month starts with the remainder, since that is where photos are added.
    const isFalling = sort !== 'size' && ORDERS[sort].direction === 'desc';
    const order = isFalling ? sizes.toReversed() : sizes;
    order.forEach((size, n) => {
      const fromOldest = isFalling ? order.length - 1 - n : n;
      const [opens, closes] = [n === 0, n === order.length - 1];
      sheets.push({ key: `${month ?? ''}/${fromOldest}`, month, opens, closes, from, count: size });
      from += size;
    });
  }
  return sheets;
}

/** The sizes of a month's sheets, oldest first. */
function sizesOf(count: number): number[] {
  const fullSheets = Math.max(0, Math.floor((count - MIN_SHEET) / SHEET_SIZE));
  return [...Array.from({ length: fullSheets }, () => SHEET_SIZE), count - fullSheets * SHEET_SIZE];
}

/** The index of the sheet that holds a place of the list; the last sheet for a place past the end. */
export function sheetIndexAt(sheets: readonly Sheet[], place: number): number {
  return lastIndexWhere(sheets.length, (n) => (sheets[n] as Sheet).from <= place);
}

/** Binary search: the last of `length` indexes for which `holds` is true, if it is true up to some index. At least 0. */
export function lastIndexWhere(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The memory at a place of the list; undefined if it is not loaded or deleted. */
export function memoryAt(album: PagedAlbum, place: number): Memory | undefined {
  const sheet = album.sheets[sheetIndexAt(album.sheets, place)];
  const memory = sheet && album.loaded.get(sheet.key)?.[place - sheet.from];
  return memory && !album.deleted.has(memory.id) ? memory : undefined;
}

/** The visible memories of a sheet; undefined if it is not loaded. */
export function memoriesOf(album: PagedAlbum, sheet: Sheet): readonly Memory[] | undefined {
  const memories = album.loaded.get(sheet.key);
  if (!memories?.some(({ id }) => album.deleted.has(id))) return memories;
  return memories.filter(({ id }) => !album.deleted.has(id));
}

/** How many memories the list has, without deleted ones. */
export function shownCount(album: PagedAlbum): number {
  return album.total - album.deleted.size;
}

/** The requests for those sheets that are not loaded. Neighboring sheets share a request. */
export function requestsFor(album: PagedAlbum, keys: ReadonlySet<string>): PageRequest[] {
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

/** Where to fetch a sheet from: the end of the page before it if that is known, or else the start of its month. */
function startOf({ months, ends }: PagedAlbum, sheet: Sheet): { cursor: string | null; skip: number } {
  const cursor = ends.get(sheet.from);
  if (cursor !== undefined) return { cursor, skip: 0 };
  let from = 0;
  for (const month of months) {
    if (month.month === sheet.month) return { cursor: month.cursor, skip: sheet.from - from };
    from += month.count;
  }
  return { cursor: null, skip: sheet.from };
}

/** Adds the complete sheets of a page that starts at a place, and drops the sheets far from it. */
export function withPage(album: PagedAlbum, from: number, { memories, next }: AlbumPage): PagedAlbum {
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

/** Hides a memory until the next fetch. @returns the same album if the memory is not loaded */
export function withoutMemory(album: PagedAlbum, id: string): PagedAlbum {
  for (const memories of album.loaded.values()) {
    if (memories.some((memory) => memory.id === id)) return { ...album, deleted: new Set([...album.deleted, id]) };
  }
  return album;
}

/** A memory's place in the list, or a sheet to load before searching on; null if it is not in the list. */
export type Search = { readonly place: number } | { readonly load: Sheet } | null;

/**
 * Searches for a memory by the list's order: a binary search over the sheets of its month, or over all sheets if the list
 * has no months. Load the returned sheet and search again; it takes a few steps.
 * @param month the memory's month, as the album counts months
 */
export function searchMemory(album: PagedAlbum, memory: Memory, month: string, sort: MemorySort): Search {
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

/** Whether one memory is before another in the server's order, where ids break ties. */
function isBefore(one: Memory, other: Memory, sort: MemorySort): boolean {
  const { by, direction } = ORDERS[sort];
  const valuesOf = (memory: Memory) => by.map((field) => Number(new Date(memory[field])));
  const [values, others] = [valuesOf(one), valuesOf(other)];
  const differences = values.map((value, n) => value - (others[n] as number));
  const difference = differences.find((found) => found !== 0) ?? (one.id < other.id ? -1 : 1);
  return direction === 'asc' ? difference < 0 : difference > 0;
}

/**
 * The current place of a slide: by its id, since memories before it may have been added or removed. If it is deleted, its
 * old place, which is now the next memory's.
 */
export function currentPlace(album: PagedAlbum, last: { readonly id: string | null; readonly place: number }): number {
  for (const { key, from } of album.sheets) {
    const within = album.loaded.get(key)?.findIndex(({ id }) => id === last.id) ?? -1;
    if (within >= 0) return from + within;
  }
  return last.place < album.total ? last.place : 0;
}
