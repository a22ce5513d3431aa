import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Sheet } from '../album.ts';
import { type Drawn, drawnBetween, heightOf, type Spot, spotAt, topsOf } from '../shelf.ts';
import { keepingSpot, keepSpot, keptSpot } from './kept-spot.ts';

/** Beyond what is seen, so much is drawn, in pixels. */
const DRAWN_AHEAD = 400;

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
  const [found, setFound] = useState<ReadonlyMap<string, number>>(new Map());
  const [view, setView] = useState({ from: 0, to: window.innerHeight });
  const nameOf = ({ key, count }: Sheet) => `${fit} ${key} ${count}`;
  const tops = topsOf(sheets.map((sheet) => found.get(nameOf(sheet)) ?? guess(sheet)));
  const drawn = drawnBetween(sheets, tops, { ...view, ahead: DRAWN_AHEAD });
  const spot = useSteadySpot(box, sheets, tops);

  const look = useEffectEvent(() => {
    if (!box.current) return;
    const from = -box.current.getBoundingClientRect().top;
    spot.see(from);
    const next = { from, to: from + window.innerHeight };
    const would = drawnBetween(sheets, tops, { ...next, ahead: DRAWN_AHEAD });
    const same = would.first === drawn.first && would.last === drawn.last;
    if (!same || spotAt(sheets, tops, from)?.key !== spotAt(sheets, tops, view.from)?.key) setView(next);
  });
  useLayoutEffect(() => look(), [tops]);
  useEffect(() => {
    const listener = () => look();
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
    at: sheets.findIndex(({ key }) => key === spotAt(sheets, tops, view.from)?.key),
    measure: (sheet, height) =>
      setFound((before) =>
        before.get(nameOf(sheet)) === height ? before : new Map(before).set(nameOf(sheet), height),
      ),
    goTo: (index) => {
      const sheet = sheets[index];
      if (sheet) spot.goTo({ key: sheet.key, by: 0 });
    },
  };
}

/** Holds what is at the top of the screen there, while heights above it change; and keeps where that is with the entry of history. */
function useSteadySpot(box: Shelf['box'], sheets: readonly Sheet[], tops: Float64Array) {
  // None while the gallery's own beginning is in sight: there, what is new may come into sight.
  const spot = useRef<Spot | null>(null);
  const begun = useRef(false);
  const scrollTo = (to: Spot) => {
    const height = heightOf(sheets, tops, to);
    if (height === null || !box.current) return;
    const by = height + box.current.getBoundingClientRect().top;
    if (Math.abs(by) >= 1) window.scrollBy({ top: by, behavior: 'instant' });
  };
  const hold = useEffectEvent(() => {
    if (!begun.current) {
      begun.current = true;
      spot.current = keptSpot();
    }
    if (spot.current) scrollTo(spot.current);
  });
  useLayoutEffect(() => hold(), [tops]);
  useEffect(() => keepingSpot(), []);
  return {
    see: (y: number) => {
      spot.current = y > 0 ? spotAt(sheets, tops, y) : null;
      keepSpot(spot.current);
    },
    goTo: (to: Spot) => {
      spot.current = to;
      scrollTo(to);
    },
  };
}
