import { useEffect, useEffectEvent, useRef } from 'react';
import { WindowVirtualizer } from 'virtua';
import { plural } from '../../base/text.ts';
import { deviceZone } from '../../base/web/now.ts';
import { cx } from '../../base/web/ui/cx.ts';
import { ErrorCard } from '../../base/web/ui/empty-state.tsx';
import { Loading } from '../../base/web/ui/loading.tsx';
import type { Memory } from '../contract.ts';
import type { GalleryFilter } from './gallery-filter.ts';
import css from './gallery-rows.module.css';
import { GridTile, ListTile } from './memory-tiles.tsx';
import type { useMemories } from './queries.ts';
import { type GalleryRow, layOut } from './rows.ts';
import { useWidth } from './use-width.ts';

export interface GalleryRowsProps {
  readonly query: ReturnType<typeof useMemories>;
  readonly filter: GalleryFilter;
  readonly onView: (memory: Memory) => void;
  readonly onDelete: (memory: Memory) => void;
}

/** Beyond what is seen, so much is drawn, and so far ahead the next page is asked for, in pixels. */
const DRAWN_AHEAD = 400;
const ASKED_AHEAD = '1600px';
const GAP = 12;
/** Two widths of a print's mat, and two heights of a row: on a phone and on the desk. */
const PHONE = { below: 560, height: 132, mat: 6 };
const DESK = { height: 176, mat: 7 };

/** The memories in rows, months in the margin; only what is near the screen is in the document (issue 4). */
export function GalleryRows({ query, filter, onView, onDelete }: GalleryRowsProps) {
  const [column, width] = useWidth<HTMLDivElement>();
  const { view, sort } = filter;
  const rows = useRows(query, width, filter);
  const months = sort !== 'size';
  const Tile = view === 'grid' ? GridTile : ListTile;
  return (
    <div className={cx(view === 'grid' ? css.grid : css.list, months && css.months)}>
      <div className={css.line}>
        <div ref={column} className={css.column} />
      </div>
      <WindowVirtualizer key={`${view} ${sort} ${filter.dateId}`} data={rows} bufferSize={DRAWN_AHEAD}>
        {(row) => (
          <div key={row.key} className={cx(css.line, css.row, row.month && css.first)}>
            {row.month && <MonthName {...row.month} />}
            <ul className={css.prints} style={{ '--row-width': `${row.width}px` }}>
              {row.memories.map((memory) => (
                <Tile key={memory.id} memory={memory} onView={onView} onDelete={onDelete} withinMonth={months} />
              ))}
            </ul>
          </div>
        )}
      </WindowVirtualizer>
      <More query={query} />
    </div>
  );
}

function useRows({ data, hasNextPage }: GalleryRowsProps['query'], width: number, { view, sort }: GalleryFilter) {
  const { height, mat } = width < PHONE.below ? PHONE : DESK;
  const space = {
    width,
    height,
    mat,
    gap: GAP,
    single: view === 'list',
    zone: sort === 'size' ? null : deviceZone(),
  };
  return width === 0 || !data ? [] : layOut(data.pages, space, hasNextPage);
}

function MonthName({ name, count }: NonNullable<GalleryRow['month']>) {
  return (
    <div className={css.month}>
      <h2>{name}</h2>
      {count !== null && <p className="aside num">{plural(count, 'memory', 'memories')}</p>}
    </div>
  );
}

/** Asks for the next page before the end comes into sight. */
function More({ query }: { query: GalleryRowsProps['query'] }) {
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, data } = query;
  const ask = useEffectEvent(() => {
    if (hasNextPage && !query.isFetching) void query.fetchNextPage();
  });
  const pages = data?.pages.length ?? 0;
  useEffect(() => {
    if (!end.current || pages === 0 || isFetchNextPageError) return undefined;
    // Observed anew with every page: an end that never left the neighbourhood would not be told of again.
    const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && ask(), {
      rootMargin: ASKED_AHEAD,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [pages, isFetchNextPageError]);
  return (
    <div ref={end}>
      {isFetchingNextPage && <Loading message="Loading more memories..." size="small" />}
      {isFetchNextPageError && !isFetchingNextPage && (
        <ErrorCard title={null} onRetry={() => void query.fetchNextPage()}>
          Failed to load memories. Please try again.
        </ErrorCard>
      )}
    </div>
  );
}
