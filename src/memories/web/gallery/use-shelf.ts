import { type RefObject, useDeferredValue, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useAlive } from '../../../base/web/alive.tsx';
import type { Sheet } from '../../album.ts';
import { type Drawn, drawnBetween, heightOf, indexAt, NEARLY_PAST, type Spot, spotAt, topsOf } from '../../shelf.ts';
import { keepingSpot, keepSpot, keptSpot } from './kept-spot.ts';

/** Beyond what is seen, so much is drawn, in pixels. */
const DRAWN_AHEAD = 400;

/** How high a window is taken to be by the server, which can't know it, in pixels. */
const USUAL_HEIGHT = 850;

/** Heights that were found, each of a sheet with so many memories. */
type Heights = ReadonlyMap<string, { readonly count: number; readonly height: number }>;
interface Found {
  readonly fit: string;
  readonly heights: Heights;
}
const NOTHING: Heights = new Map();

/** Sheets one under the other down the page, of which only those near the screen are in the document. */
export interface Shelf extends Drawn {
  /** For the element that holds the sheets. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** The room that the sheets before and after those drawn take, in pixels. */
  readonly before: number;
  readonly after: number;
  /** The sheet at the top of the screen, by its index. */
  readonly at: number;
  /** Tells the height of a sheet that is drawn. */
  readonly measure: (sheet: Sheet, height: number) => void;
  /** Brings a sheet to the top of the screen. */
  readonly goTo: (index: number) => void;
}

/**
 * Lays sheets down the page by the heights they were found to have, and by a guess until then. Whatever is found or
 * changed above, what is under the eye stays where it is; and it is there again after a step back and after a reload.
 * @param guess the height of a sheet not drawn yet, in pixels
 * @param fit what the heights hang on: the width, the view
 */
export function useShelf(sheets: readonly Sheet[], guess: (sheet: Sheet) => number, fit: string): Shelf {
  const box = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<Found>({ fit, heights: new Map() });
  const [view, setView] = useState({ from: 0, to: useAlive() ? window.innerHeight : USUAL_HEIGHT });
  // What was found in another width or view says nothing of this one.
  const heights = found.fit === fit ? found.heights : NOTHING;
  const tops = topsOf(
    sheets.map((sheet) => {
      const known = heights.get(sheet.key);
      return known?.count === sheet.count ? known.height : guess(sheet);
    }),
  );
  // First what is seen; what is near it a moment later, in a task of its own.
  const ahead = useDeferredValue(DRAWN_AHEAD, 0);
  const drawn = drawnBetween(sheets, tops, { ...view, ahead });
  const spot = useSteadySpot(box, sheets, tops);

  const look = useEffectEvent((tops: Float64Array) => {
    if (!box.current) return;
    const from = -box.current.getBoundingClientRect().top;
    spot.see(from);
    const next = { from, to: from + window.innerHeight };
    const would = drawnBetween(sheets, tops, { ...next, ahead });
    const same = would.first === drawn.first && would.last === drawn.last;
    if (!same || onTop(tops, next) !== onTop(tops, view)) setView(next);
  });
  const lookAgain = useEffectEvent(() => look(tops));
  useLayoutEffect(() => look(tops), [tops]);
  useEffect(() => {
    const listener = () => lookAgain();
    window.addEventListener('scroll', listener, { passive: true });
    window.addEventListener('resize', listener);
    return () => {
      window.removeEventListener('scroll', listener);
      window.removeEventListener('resize', listener);
    };
  }, []);

  const total = tops[sheets.length] as number;
  return {
    ...drawn,
    box,
    before: tops[drawn.first] as number,
    after: total - (tops[Math.min(drawn.last + 1, sheets.length)] as number),
    at: onTop(tops, view),
    measure: ({ key, count }, height) =>
      setFound((before) => {
        const known = before.fit === fit ? before.heights : NOTHING;
        const same = known.get(key)?.height === height && known.get(key)?.count === count;
        return same ? before : { fit, heights: new Map(known).set(key, { count, height }) };
      }),
    goTo: (index) => {
      const sheet = sheets[index];
      if (sheet) spot.goTo({ key: sheet.key, by: 0 });
    },
  };
}

/** The sheet that one would say is shown: the one at the top, and the last one where there is no further down. */
function onTop(tops: Float64Array, { from, to }: { from: number; to: number }): number {
  const last = tops.length - 2;
  return to >= (tops[last + 1] as number) ? last : indexAt(tops, from + NEARLY_PAST);
}

/** Holds what is at the top of the screen there, while heights above it change; and keeps where that is with the entry of history. */
function useSteadySpot(box: Shelf['box'], sheets: readonly Sheet[], tops: Float64Array) {
  // None while the gallery's own beginning is in sight: there, what is new may come into sight.
  const spot = useRef<Spot | null>(null);
  const begun = useRef(false);
  const scrollTo = (to: Spot, tops: Float64Array) => {
    const height = heightOf(sheets, tops, to);
    if (height === null || !box.current) return;
    const by = height + box.current.getBoundingClientRect().top;
    if (Math.abs(by) >= 1) window.scrollBy({ top: by, behavior: 'instant' });
  };
  const hold = useEffectEvent((tops: Float64Array) => {
    if (!begun.current) {
      begun.current = true;
      spot.current = keptSpot();
    }
    if (spot.current) scrollTo(spot.current, tops);
  });
  useLayoutEffect(() => hold(tops), [tops]);
  useEffect(() => keepingSpot(), []);
  return {
    see: (y: number) => {
      spot.current = y > 0 ? spotAt(sheets, tops, y) : null;
      keepSpot(spot.current);
    },
    goTo: (to: Spot) => {
      spot.current = to;
      scrollTo(to, tops);
    },
  };
}
