import { computeRowsLayout } from 'react-photo-album';
import type { Memory } from '../../contract.ts';

/** One row of a sheet. */
export interface GalleryRow {
  readonly memories: readonly Memory[];
  /** In pixels. The last row of a month may be narrower than the gallery. */
  readonly width: number;
}

/** The parameters of the layout. Lengths are in pixels. */
export interface RowSpace {
  readonly width: number;
  /** The target height of the photos in a row. */
  readonly height: number;
  readonly gap: number;
  /** The mat, on each side of a photograph. */
  readonly mat: number;
  /** One memory to a row: the list view. */
  readonly single: boolean;
}

/** The limits of a print's proportions, so that it can be pressed and is not a ribbon. */
const NARROWEST = 0.5;
const WIDEST = 4;
/** The most that the last row of a month is stretched. */
const STRETCH = 1.3;
/** The height of captions, days and gaps in a grid row, and of a whole list row, in pixels. */
const CAPTION_HEIGHT = 74;
const LIST_ROW = 128;
/** The usual width of a photo by its height. */
const USUAL_RATIO = 1.2;

/** The width of a print by its height, within the limits. */
export function shownRatio({ width, height }: { width: number; height: number }): number {
  return Math.min(WIDEST, Math.max(NARROWEST, width / height));
}

/** Lays out a sheet in full rows, each photo in its own proportions. The last row of a month may be shorter. */
export function layOutRows(memories: readonly Memory[], space: RowSpace, ends: boolean): GalleryRow[] {
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

/** Estimates the height of a sheet before its memories are loaded, in pixels. */
export function estimateHeight(count: number, { width, height, gap, mat, single }: RowSpace): number {
  if (single) return count * LIST_ROW;
  const perRow = Math.max(1, Math.round(width / (height * USUAL_RATIO + 2 * mat + gap)));
  return Math.ceil(count / perRow) * (height + 2 * mat + CAPTION_HEIGHT);
}
