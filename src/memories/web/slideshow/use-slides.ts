import { useState } from 'react';
import { type Album, memoryAt, placeOf, sheetIndexAt, shownCount } from '../../album.ts';
import type { Memory } from '../../contract.ts';
import { stepPlace } from '../../gallery.ts';
import { useAlbum, useLoadSheets } from '../album-query.ts';
import type { MemoryList } from '../queries.ts';

/** So many slides ahead are loaded before they are needed (spec 9, Slideshow). */
export const AHEAD = 6;

/** A memory and its place in the list; the place alone where it is not loaded yet. */
export interface Slide {
  readonly id: string | null;
  readonly place: number;
}

export interface Slides {
  readonly total: number;
  /** From 0. */
  readonly place: number;
  /** Undefined while it is on its way. */
  readonly memory: Memory | undefined;
  /** Those after it that are loaded, nearest first. */
  readonly ahead: readonly Memory[];
  /** For the strip: how many there are, and the one at a place, where it is loaded. */
  readonly strip: { readonly length: number; readonly at: (place: number) => Memory | undefined };
  /** Tells which places the strip shows. */
  readonly onStrip: (from: number, to: number) => void;
  readonly step: (by: number) => void;
  readonly goTo: (place: number) => void;
}

const SOON = Array.from({ length: AHEAD }, (_, n) => n + 1);

/**
 * The slides of a list that may be far longer than what is loaded of it: what is about the slide, about the next ones
 * and in the strip is fetched. Going back from the first leads to the last (spec 4: navigation wraps in both directions).
 */
export function useSlides(list: MemoryList, start: Slide): Slides {
  const [last, setLast] = useState(start);
  const [shownOfStrip, setShownOfStrip] = useState({ from: start.place, to: start.place });
  const { data: album } = useAlbum(list);
  const length = album?.total ?? 0;
  const place = album ? placeOf(album, last) : start.place;
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

/** The sheets that places are on. */
function keysAt({ sheets }: Album, places: readonly number[]): string[] {
  return [...new Set(places.map((place) => sheets[sheetIndexAt(sheets, place)]?.key ?? ''))];
}
