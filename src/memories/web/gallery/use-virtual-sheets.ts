import { type RefObject, useDeferredValue, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useAlive } from '../../../base/web/alive.tsx';
import type { Sheet } from '../../album.ts';
import {
  anchorAt,
  anchorOffset,
  ROUNDING_SLACK,
  type ScrollAnchor,
  type SheetRange,
  sheetAtOffset,
  sheetOffsets,
  sheetsToRender,
} from '../../gallery-layout.ts';
import { manageScrollRestoration, restoreScrollAnchor, saveScrollAnchor } from './scroll-anchor.ts';

/** Beyond what is seen, so much is drawn, in pixels. */
const OVERSCAN = 400;

/** How high a window is taken to be by the server, which can't know it, in pixels. */
const SERVER_HEIGHT = 850;

/** Heights that were found, each of a sheet with so many memories. */
type Heights = ReadonlyMap<string, { readonly count: number; readonly height: number }>;
interface Found {
  readonly fit: string;
  readonly heights: Heights;
}
const NOTHING: Heights = new Map();

/** Sheets one under the other down the page, of which only those near the screen are in the document. */
export interface VirtualSheets extends SheetRange {
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
export function useVirtualSheets(
  sheets: readonly Sheet[],
  guess: (sheet: Sheet) => number,
  fit: string,
): VirtualSheets {
  const box = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<Found>({ fit, heights: new Map() });
  const [view, setView] = useState({ from: 0, to: useAlive() ? window.innerHeight : SERVER_HEIGHT });
  // What was found in another width or view says nothing of this one.
  const heights = found.fit === fit ? found.heights : NOTHING;
  const offsets = sheetOffsets(
    sheets.map((sheet) => {
      const known = heights.get(sheet.key);
      return known?.count === sheet.count ? known.height : guess(sheet);
    }),
  );
  // First what is seen; what is near it a moment later, in a task of its own.
  const ahead = useDeferredValue(OVERSCAN, 0);
  const drawn = sheetsToRender(sheets, offsets, { ...view, ahead });
  const spot = useScrollAnchor(box, sheets, offsets);

  const look = useEffectEvent((offsets: Float64Array) => {
    if (!box.current) return;
    const from = -box.current.getBoundingClientRect().top;
    spot.see(from);
    const next = { from, to: from + window.innerHeight };
    const would = sheetsToRender(sheets, offsets, { ...next, ahead });
    const same = would.first === drawn.first && would.last === drawn.last;
    if (!same || sheetInView(offsets, next) !== sheetInView(offsets, view)) setView(next);
  });
  const lookAgain = useEffectEvent(() => look(offsets));
  useLayoutEffect(() => look(offsets), [offsets]);
  useEffect(() => {
    const listener = () => lookAgain();
    window.addEventListener('scroll', listener, { passive: true });
    window.addEventListener('resize', listener);
    return () => {
      window.removeEventListener('scroll', listener);
      window.removeEventListener('resize', listener);
    };
  }, []);

  const total = offsets[sheets.length] as number;
  return {
    ...drawn,
    box,
    before: offsets[drawn.first] as number,
    after: total - (offsets[Math.min(drawn.last + 1, sheets.length)] as number),
    at: sheetInView(offsets, view),
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
function sheetInView(offsets: Float64Array, { from, to }: { from: number; to: number }): number {
  const last = offsets.length - 2;
  return to >= (offsets[last + 1] as number) ? last : sheetAtOffset(offsets, from + ROUNDING_SLACK);
}

/** Holds what is at the top of the screen there, while heights above it change; and keeps where that is with the entry of history. */
function useScrollAnchor(box: VirtualSheets['box'], sheets: readonly Sheet[], offsets: Float64Array) {
  // None while the gallery's own beginning is in sight: there, what is new may come into sight.
  const spot = useRef<ScrollAnchor | null>(null);
  const begun = useRef(false);
  const scrollTo = (to: ScrollAnchor, offsets: Float64Array) => {
    const height = anchorOffset(sheets, offsets, to);
    if (height === null || !box.current) return;
    const by = height + box.current.getBoundingClientRect().top;
    if (Math.abs(by) >= 1) window.scrollBy({ top: by, behavior: 'instant' });
  };
  const hold = useEffectEvent((offsets: Float64Array) => {
    if (!begun.current) {
      begun.current = true;
      spot.current = restoreScrollAnchor();
    }
    if (spot.current) scrollTo(spot.current, offsets);
  });
  useLayoutEffect(() => hold(offsets), [offsets]);
  useEffect(() => manageScrollRestoration(), []);
  return {
    see: (y: number) => {
      spot.current = y > 0 ? anchorAt(sheets, offsets, y) : null;
      saveScrollAnchor(spot.current);
    },
    goTo: (to: ScrollAnchor) => {
      spot.current = to;
      scrollTo(to, offsets);
    },
  };
}
