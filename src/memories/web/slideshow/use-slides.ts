import { useState } from 'react';
import type { Memory } from '../../contract.ts';
import { currentPlace, memoryAt, type PagedAlbum, sheetIndexAt, shownCount } from '../../paged-album.ts';
import { stepPlace } from '../../step-place.ts';
import type { MemoryList } from '../queries.ts';
import { useAlbum, useLoadSheets } from '../use-album.ts';

/** How many slides are preloaded. */
export const AHEAD = 6;

/** A memory's id and its place in the list. The id is null if it is not loaded yet. */
export interface Slide {
  readonly id: string | null;
  readonly place: number;
}

export interface Slides {
  readonly total: number;
  /** From 0. */
  readonly place: number;
  /** Undefined while it loads. */
  readonly memory: Memory | undefined;
  /** The next loaded memories, nearest first. */
  readonly ahead: readonly Memory[];
  /** For the strip: the number of memories, and the loaded memory at a place. */
  readonly strip: { readonly length: number; readonly at: (place: number) => Memory | undefined };
  /** Reports the places that the strip shows. */
  readonly onStrip: (from: number, to: number) => void;
  readonly step: (by: number) => void;
  readonly goTo: (place: number) => void;
}

const SOON = Array.from({ length: AHEAD }, (_, n) => n + 1);

/**
 * The slides of a list. It loads the sheets of the current slide, of the next ones and of the strip. Navigation wraps
 * around in both directions (memories.slideshow.5).
 */
export function useSlides(list: MemoryList, start: Slide): Slides {
  const [last, setLast] = useState(start);
  const [shownOfStrip, setShownOfStrip] = useState({ from: start.place, to: start.place });
  const { data: album } = useAlbum(list);
  const length = album?.total ?? 0;
  const place = album ? currentPlace(album, last) : start.place;
  const at = (wanted: number) => (album ? memoryAt(album, wanted) : undefined);
  const after = SOON.slice(0, Math.max(0, length - 1)).map((by) => stepPlace(place, by, length));
  const { from, to } = shownOfStrip;
  useLoadSheets(
    list,
    album,
    album ? keysAt(album, [place]) : [],
    album ? keysAt(album, [place, ...after, ...between(from, to)]) : [],
  );
  const show = (next: number) => setLast({ id: at(next)?.id ?? null, place: next });
  return {
    total: album ? shownCount(album) : 0,
    place,
    memory: at(place),
    ahead: after.map(at).filter((one) => one !== undefined),
    strip: { length, at },
    onStrip: (first, end) => {
      if (first !== from || end !== to) setShownOfStrip({ from: first, to: end });
    },
    step: (by) => show(stepPlace(place, by, length)),
    goTo: show,
  };
}

const between = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);

/** The keys of the sheets that hold these places. */
function keysAt({ sheets }: PagedAlbum, places: readonly number[]): string[] {
  return [...new Set(places.map((place) => sheets[sheetIndexAt(sheets, place)]?.key ?? ''))];
}
