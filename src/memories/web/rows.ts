import { computeRowsLayout } from 'react-photo-album';
import type { Memory } from '../contract.ts';
import { monthsOf } from '../gallery.ts';
import type { MemoryPage } from './queries.ts';

/** One row of the gallery. */
export interface GalleryRow {
  readonly key: string;
  /** Where a month begins: its name, and how many memories it has once all of them are loaded. */
  readonly month: { readonly name: string; readonly count: number | null } | null;
  readonly memories: readonly Memory[];
  /** In pixels; what ends a month may fill less than the whole width. */
  readonly width: number;
}

/** What rows are laid out for. Lengths in pixels. */
export interface RowSpace {
  readonly width: number;
  /** The height that the photographs of a row should about have. */
  readonly height: number;
  readonly gap: number;
  /** The mat, on each side of a photograph. */
  readonly mat: number;
  /** One memory to a row: the list view. */
  readonly single: boolean;
  /** Parted into months, in the zone; null where the list is not ordered by date. */
  readonly zone: string | null;
}

/** No print is so narrow that it could not be pressed, none so wide that it is a ribbon. */
const NARROWEST = 0.5;
const WIDEST = 4;
/** The last row of a month is not stretched beyond this. */
const STRETCH = 1.3;

/** Width by height, as the print is shown. */
export function shownRatio({ width, height }: { width: number; height: number }): number {
  return Math.min(WIDEST, Math.max(NARROWEST, width / height));
}

interface Line {
  readonly memories: readonly Memory[];
  readonly width: number;
}

interface Part {
  /** The month's name, or '' for all. */
  readonly name: string;
  readonly lines: readonly Line[];
}

/**
 * Justified rows of what is loaded. A page is laid out once, together with the last row of the page before it, so that
 * nothing on the screen moves when another page comes; while `more` are to come, the very last row is held back.
 */
export function layOut(pages: readonly MemoryPage[], space: RowSpace, more: boolean): GalleryRow[] {
  const months: { name: string; lines: Line[] }[] = [];
  let open: Part | undefined;
  for (const page of pages) {
    const carried = open?.lines.at(-1)?.memories ?? [];
    if (carried.length > 0) months.at(-1)?.lines.pop();
    for (const part of partsOf(page, carried, space)) {
      open = part;
      const last = months.at(-1);
      if (last?.name === part.name) last.lines.push(...part.lines);
      else months.push({ name: part.name, lines: [...part.lines] });
    }
  }
  const last = months.at(-1);
  if (more && last && !space.single) last.lines.pop();
  return months.flatMap((month, n) => rowsOf(month, more && n === months.length - 1));
}

function rowsOf({ name, lines }: Part, unfinished: boolean): GalleryRow[] {
  const count = unfinished ? null : lines.reduce((sum, { memories }) => sum + memories.length, 0);
  return lines.map(({ memories, width }, n) => ({
    key: memories[0]?.id ?? name,
    month: n === 0 && name !== '' ? { name, count } : null,
    memories,
    width,
  }));
}

const laidOut = new WeakMap<
  readonly Memory[],
  { carried: readonly Memory[]; space: RowSpace; parts: readonly Part[] }
>();

/** The months of a page in rows, led by what the page before it left over; remembered while nothing of it changes. */
function partsOf(page: MemoryPage, carried: readonly Memory[], space: RowSpace): readonly Part[] {
  const known = laidOut.get(page.memories);
  if (known?.space === space && known.carried[0] === carried[0] && known.carried.length === carried.length)
    return known.parts;
  const memories = [...carried, ...page.memories];
  const months = space.zone === null ? [{ name: '', memories }] : monthsOf(memories, space.zone);
  const parts = months.map((month) => ({ name: month.name, lines: linesOf(month.memories, space) }));
  laidOut.set(page.memories, { carried, space, parts });
  return parts;
}

function linesOf(memories: readonly Memory[], space: RowSpace): Line[] {
  const { width, height, gap, mat } = space;
  if (space.single) return memories.map((memory) => ({ memories: [memory], width }));
  const photos = memories.map((memory) => ({ src: '', width: shownRatio(memory) * 1000, height: 1000, memory }));
  const tracks = computeRowsLayout(photos, gap, mat, width, height)?.tracks ?? [];
  return tracks.map((track, n) => {
    const ends = n === tracks.length - 1;
    const tall = track.photos[0]?.height ?? height;
    const share = ends && tall > height * STRETCH ? height / tall : 1;
    const sides = (track.photos.length - 1) * gap + track.photos.length * 2 * mat;
    return {
      memories: track.photos.map(({ photo }) => photo.memory),
      width: Math.min(width, (width - sides) * share + sides),
    };
  });
}
