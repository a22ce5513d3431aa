import {
  type RefObject,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Sheet } from '../../paged-album.ts';
import {
  anchorAt,
  anchorOffset,
  ROUNDING_SLACK,
  type ScrollAnchor,
  type SheetRange,
  sheetAtOffset,
  sheetOffsets,
  sheetsToRender,
  sheetsToRenderNow,
} from '../../sheet-layout.ts';
import { manageScrollRestoration, restoreScrollAnchor, saveScrollAnchor } from './scroll-anchor.ts';

/** How far beyond the visible area sheets are rendered, in pixels. */
const OVERSCAN = 400;

/** Measured heights by sheet key, each for a number of memories. */
type Heights = ReadonlyMap<string, { readonly count: number; readonly height: number }>;
interface Found {
  readonly fit: string;
  readonly heights: Heights;
}
const NOTHING: Heights = new Map();

/** A virtual list of sheets: only those near the screen are in the document. */
export interface VirtualSheets extends SheetRange {
  /** The ref of the element that contains the sheets. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** The height of the sheets before and after the rendered ones, in pixels. */
  readonly before: number;
  readonly after: number;
  /** The index of the sheet at the top of the screen. */
  readonly at: number;
  /** Reports the height of a rendered sheet. */
  readonly measure: (sheet: Sheet, height: number) => void;
  /** Scrolls a sheet to the top of the screen. */
  readonly goTo: (index: number) => void;
}

/**
 * Positions sheets by their measured heights, or by an estimate. When heights above the screen change, the visible content
 * stays in place. Going back and reloading restore the scroll position.
 * @param estimatedHeights of each sheet, in pixels, for those that were never rendered
 * @param fit a key of what the heights depend on: the width and the view
 */
export function useVirtualSheets(
  sheets: readonly Sheet[],
  estimatedHeights: readonly number[],
  fit: string,
): VirtualSheets {
  const box = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<Found>({ fit, heights: new Map() });
  const [view, setView] = useState({ from: 0, to: window.innerHeight });
  // Heights measured in another width or view do not apply.
  const heights = found.fit === fit ? found.heights : NOTHING;
  const offsets = useMemo(
    () =>
      sheetOffsets(
        sheets.map(({ key, count }, n) => {
          const known = heights.get(key);
          return known?.count === count ? known.height : (estimatedHeights[n] as number);
        }),
      ),
    [sheets, heights, estimatedHeights],
  );
  const visible = sheetsToRender(sheets, offsets, { ...view, ahead: 0 });
  const wanted = sheetsToRender(sheets, offsets, { ...view, ahead: OVERSCAN });
  const settled = {
    first: useDeferredValue(wanted.first, visible.first),
    last: useDeferredValue(wanted.last, visible.last),
  };
  const drawn = sheetsToRenderNow(visible, wanted, settled);
  const spot = useScrollAnchor(box, sheets, offsets);

  const look = useEffectEvent((offsets: Float64Array) => {
    if (!box.current) return;
    const from = -box.current.getBoundingClientRect().top;
    spot.see(from);
    const next = { from, to: from + window.innerHeight };
    const would = sheetsToRender(sheets, offsets, { ...next, ahead: OVERSCAN });
    const same = would.first === wanted.first && would.last === wanted.last;
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

/** The sheet at the top of the screen, or the last one at the end of the page. */
function sheetInView(offsets: Float64Array, { from, to }: { from: number; to: number }): number {
  const last = offsets.length - 2;
  return to >= (offsets[last + 1] as number) ? last : sheetAtOffset(offsets, from + ROUNDING_SLACK);
}

/** Keeps the content at the top of the screen in place while heights above it change, and stores it in the history entry. */
function useScrollAnchor(box: VirtualSheets['box'], sheets: readonly Sheet[], offsets: Float64Array) {
  // Null while the start of the gallery is visible, so that new memories can appear there.
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
