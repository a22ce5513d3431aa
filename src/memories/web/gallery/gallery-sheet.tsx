import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { monthName } from '../../../base/date-formats.ts';
import { plural } from '../../../base/number-texts.ts';
import { cx } from '../../../kit/web/cx.ts';
import type { Memory } from '../../contract.ts';
import type { MonthCount, Sheet } from '../../paged-album.ts';
import css from './gallery-rows.module.css';
import { layOutRows, type RowSpace } from './lay-out-rows.ts';
import { GridTile, ListTile, type TileProps } from './memory-tiles.tsx';

export interface GallerySheetProps {
  readonly sheet: Sheet;
  /** Undefined while they load. */
  readonly memories: readonly Memory[] | undefined;
  /** The month that starts with this sheet. */
  readonly head: MonthCount | undefined;
  readonly space: RowSpace;
  readonly time: TileProps['time'];
  /** The estimated height until they have loaded, in pixels. */
  readonly estimatedHeight: number;
  readonly onHeight: (sheet: Sheet, height: number) => void;
  readonly onView: (memory: Memory, place: number) => void;
  readonly onEdit: (memory: Memory) => void;
  readonly onDelete: (memory: Memory) => void;
}

/** The rows of one sheet, or blank prints while it loads. */
export function GallerySheet({
  sheet,
  memories,
  head,
  space,
  time,
  estimatedHeight,
  onHeight,
  onView,
  onEdit,
  onDelete,
}: GallerySheetProps) {
  const box = useHeight((height) => memories && onHeight(sheet, height));
  const Tile = space.single ? ListTile : GridTile;
  const month = head?.month ? { name: monthName(head.month), count: head.count } : null;
  if (!memories) {
    return (
      <div
        ref={box}
        className={cx(css.line, css.waiting)}
        style={{ blockSize: `${estimatedHeight}px` }}
        aria-busy="true"
      >
        {month && <MonthName {...month} />}
        <div className={css.blank} style={{ '--row': `${space.single ? 128 : space.height + 88}px` }} />
      </div>
    );
  }
  return (
    <div ref={box}>
      {layOutRows(memories, space, sheet.closes).map((row, n) => (
        <div key={n} className={cx(css.line, css.row, n === 0 && month && css.first)}>
          {n === 0 && month && <MonthName {...month} />}
          <ul className={css.prints} style={{ '--row-width': `${row.width}px` }}>
            {row.memories.map((memory) => (
              <Tile
                key={memory.id}
                memory={memory}
                onView={() => onView(memory, sheet.from + memories.indexOf(memory))}
                onEdit={onEdit}
                onDelete={onDelete}
                withinMonth={sheet.month !== null}
                time={time}
              />
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function MonthName({ name, count }: { readonly name: string; readonly count: number }) {
  return (
    <div className={css.month}>
      <h2>{name}</h2>
      <p className="aside num">{plural(count, 'memory', 'memories')}</p>
    </div>
  );
}

/** Reports an element's height before it is painted, and whenever it changes. */
function useHeight(tell: (height: number) => void) {
  const ref = useRef<HTMLDivElement>(null);
  const measure = useEffectEvent(() => {
    if (ref.current) tell(ref.current.getBoundingClientRect().height);
  });
  useLayoutEffect(() => measure());
  useLayoutEffect(() => {
    if (!ref.current) return undefined;
    const observer = new ResizeObserver(() => measure());
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return ref;
}
