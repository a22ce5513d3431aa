import { memo, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type CacheSnapshot, WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua';
import type { CardListProps } from './card-list.tsx';
import css from './virtual-cards.module.css';

/** The narrowest card and the gap between two, in pixels. */
const CARD_MIN = 320;
const GAP = 24;

/** The measured heights of lists that were left, so that going back restores the scroll position. */
const savedHeights = new Map<
  string,
  { readonly rows: number; readonly columns: number; readonly cache: CacheSnapshot }
>();

/** The grid of a long list. Only the rows near the screen are in the page, with `aria-posinset` and `aria-setsize`. */
export function VirtualCards<T extends { readonly id: string }>(props: CardListProps<T>) {
  const { items, label, three, estimatedHeight, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const columns = useColumns(box, three ? 3 : 2);
  const rows = Math.ceil(items.length / columns);
  const handle = useRef<WindowVirtualizerHandle>(null);
  const heights = useSavedHeights(handle, label, rows, columns);
  return (
    <div ref={box} className={css.list} role="list" aria-label={label}>
      {columns > 0 && (
        <WindowVirtualizer
          key={columns}
          ref={handle}
          data={Array.from({ length: rows }, (_, index) => index)}
          itemSize={estimatedHeight}
          {...(heights ? { cache: heights } : {})}
        >
          {(index: number) => (
            <Row key={index} index={index} columns={columns} items={items}>
              {children}
            </Row>
          )}
        </WindowVirtualizer>
      )}
    </div>
  );
}

interface RowProps<T> {
  readonly index: number;
  readonly columns: number;
  readonly items: readonly T[];
  readonly children: (item: T) => ReactNode;
}

function RowOfCards<T extends { readonly id: string }>({ index, columns, items, children }: RowProps<T>) {
  const first = index * columns;
  return (
    <div className={css.row} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {items.slice(first, first + columns).map((item, place) => (
        <div
          key={item.id}
          className={css.cell}
          role="listitem"
          aria-posinset={first + place + 1}
          aria-setsize={items.length}
        >
          {children(item)}
        </div>
      ))}
    </div>
  );
}

/** Rows that stay visible don't render again while scrolling. The cast keeps the type parameter. */
const Row = memo(RowOfCards) as typeof RowOfCards;

/** The number of columns; 0 until the width is known. */
function useColumns(box: RefObject<HTMLElement | null>, maxColumns: number): number {
  const [columns, setColumns] = useState(0);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return undefined;
    const measure = () => {
      const fitting = Math.floor((current.clientWidth + GAP) / (CARD_MIN + GAP));
      setColumns(Math.max(1, Math.min(maxColumns, fitting)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [box, maxColumns]);
  return columns;
}

function useSavedHeights(
  handle: RefObject<WindowVirtualizerHandle | null>,
  label: string,
  rows: number,
  columns: number,
): CacheSnapshot | undefined {
  const [before] = useState(() => savedHeights.get(label));
  const isSameGrid = before?.rows === rows && before.columns === columns;
  useEffect(() => {
    const { current } = handle;
    return () => {
      if (current) savedHeights.set(label, { rows, columns, cache: current.cache });
    };
  }, [handle, label, rows, columns]);
  return isSameGrid ? before.cache : undefined;
}
