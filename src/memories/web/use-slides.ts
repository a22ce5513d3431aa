import { useEffect, useEffectEvent, useState } from 'react';
import type { Memory } from '../contract.ts';
import { memoryAt, nearerEnd, placeOf, stepPlace } from '../gallery.ts';
import type { MemorySort } from '../rules.ts';
import { type MemoryList, useMemories } from './queries.ts';

/** So many slides ahead are loaded before they are needed (spec 9, Slideshow). */
export const AHEAD = 6;

/** The same list from its other end; there is none for the sizes. */
const REVERSED: Readonly<Partial<Record<MemorySort, MemorySort>>> = {
  'date-desc': 'date-asc',
  'date-asc': 'date-desc',
};

export interface Slides {
  readonly total: number;
  /** From 0. */
  readonly place: number;
  /** Undefined while it is on its way. */
  readonly memory: Memory | undefined;
  /** Those after it that are loaded, nearest first. */
  readonly ahead: readonly Memory[];
  /** What the strip shows: the memories about the place, as far as they are loaded, and the place of the first. */
  readonly strip: { readonly memories: readonly Memory[]; readonly from: number };
  readonly step: (by: number) => void;
  readonly goTo: (memory: Memory) => void;
}

/**
 * The slides of a list that may be far longer than what is loaded of it: going back from the first leads to the last,
 * which is fetched from the other end (spec 4: navigation wraps in both directions).
 */
export function useSlides(list: MemoryList, start: Memory): Slides {
  const reversed = REVERSED[list.sort];
  const [backwards, setBackwards] = useState(false);
  const [last, setLast] = useState<{ id: string | null; place: number }>({ id: start.id, place: 0 });
  const forward = useMemories(list);
  const backward = useMemories({ ...list, sort: reversed ?? list.sort }, backwards);
  const head = forward.data?.pages.flatMap(({ memories }) => memories) ?? [];
  const tail = backwards ? (backward.data?.pages.flatMap(({ memories }) => memories) ?? []) : [];
  const total = forward.data?.pages.at(-1)?.total ?? 0;
  const place = placeOf(head, tail, total, last);
  const at = (by: number) => memoryAt(head, tail, total, stepPlace(place, by, total));
  const memory = at(0);

  const load = useEffectEvent((places: number[]) => {
    const wanted = places.find((one) => !memoryAt(head, tail, total, one));
    if (wanted === undefined) return;
    const query = backwards && nearerEnd(head.length, tail.length, total, wanted) === 'tail' ? backward : forward;
    if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
  });
  const loaded = head.length + tail.length;
  useEffect(() => {
    if (loaded < total) load([place, stepPlace(place, AHEAD, total)]);
  }, [place, loaded, total]);

  const show = (next: number) => {
    const end = memoryAt(head, tail, total, next) ? 'head' : nearerEnd(head.length, tail.length, total, next);
    if (end === 'tail' && reversed) setBackwards(true);
    setLast({ id: memoryAt(head, tail, total, next)?.id ?? null, place: next });
  };
  const inTail = place >= head.length;
  return {
    total,
    place,
    memory,
    ahead: Array.from({ length: Math.min(AHEAD, total - 1) }, (_, n) => at(n + 1)).filter((one) => one !== undefined),
    strip: inTail ? { memories: tail.toReversed(), from: total - tail.length } : { memories: head, from: 0 },
    step: (by) => show(stepPlace(place, by, total)),
    goTo: ({ id }) => setLast({ id, place }),
  };
}
