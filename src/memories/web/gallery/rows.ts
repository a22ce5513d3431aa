import { computeRowsLayout } from 'react-photo-album';
import type { Memory } from '../../contract.ts';

/** One row of a sheet. */
export interface GalleryRow {
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
}

/** No print is so narrow that it could not be pressed, none so wide that it is a ribbon. */
const NARROWEST = 0.5;
const WIDEST = 4;
/** The last row of a month is not stretched beyond this. */
const STRETCH = 1.3;
/** What is about the photographs of a row, and about a whole sheet, in pixels: captions, days, the gap to the next. */
const NOTE = 74;
const LIST_ROW = 128;
/** About as wide as photographs are, by their height. */
const USUAL_RATIO = 1.2;

/** Width by height, as the print is shown. */
export function shownRatio({ width, height }: { width: number; height: number }): number {
  return Math.min(WIDEST, Math.max(NARROWEST, width / height));
}

/** The rows of a sheet, each photograph in its own proportions; full ones, save where its month ends. */
export function layOut(memories: readonly Memory[], space: RowSpace, ends: boolean): GalleryRow[] {
  const { width, height, gap, mat } = space;
  if (space.single) return memories.map((memory) => ({ memories: [memory], width }));
  const photos = memories.map((memory) => ({ src: '', width: shownRatio(memory) * 1000, height: 1000, memory }));
  const tracks = computeRowsLayout(photos, gap, mat, width, height)?.tracks ?? [];
  return tracks.map((track, n) => {
    const tall = track.photos[0]?.height ?? height;
    const share = ends && n === tracks.length - 1 && tall > height * STRETCH ? height / tall : 1;
    const sides = (track.photos.length - 1) * gap + track.photos.length * 2 * mat;
    return {
      memories: track.photos.map(({ photo }) => photo.memory),
      width: Math.min(width, (width - sides) * share + sides),
    };
  });
}

/** About how high a sheet of so many memories will be, before they are known. */
export function guessHeight(count: number, { width, height, gap, mat, single }: RowSpace): number {
  if (single) return count * LIST_ROW;
  const perRow = Math.max(1, Math.round(width / (height * USUAL_RATIO + 2 * mat + gap)));
  return Math.ceil(count / perRow) * (height + 2 * mat + NOTE);
}
