import { useMemo } from 'react';
import { cx } from '../../../kit/web/cx.ts';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { PrintSkeletons } from '../../../kit/web/feedback/skeleton.tsx';
import type { Memory } from '../../contract.ts';
import { memoriesOf, type PagedAlbum, type Sheet } from '../../paged-album.ts';
import { timeFieldOf } from '../../sorts.ts';
import { useLoadSheets } from '../use-album.ts';
import css from './gallery-rows.module.css';
import { GallerySheet } from './gallery-sheet.tsx';
import { estimateHeight, type RowSpace } from './lay-out-rows.ts';
import { MonthJump } from './month-jump.tsx';
import type { GalleryFilter } from './use-gallery-filter.ts';
import { useVirtualSheets } from './use-virtual-sheets.ts';
import { useWidth } from './use-width.ts';

export interface GalleryRowsProps {
  /** Undefined while it loads. */
  readonly album: PagedAlbum | undefined;
  readonly filter: GalleryFilter;
  /** With the memory's place in the list. */
  readonly onView: (memory: Memory, place: number) => void;
  readonly onEdit: (memory: Memory) => void;
  readonly onDelete: (memory: Memory) => void;
}

const GAP = 12;
/** The row height and the mat on phones (below this width) and on larger screens. */
const PHONE = { below: 560, height: 132, mat: 6 };
const DESK = { height: 176, mat: 7 };
/** The approximate height of a month's heading, in pixels. */
const MONTH_HEAD = 56;

/**
 * The memories in rows, with months in the margin. Only rows near the screen are in the document (memories.gallery.13).
 * While they load it measures its width, so that React can render the first rows in several tasks.
 */
export function GalleryRows({ album, ...props }: GalleryRowsProps) {
  const [column, width] = useWidth<HTMLDivElement>();
  const { view, sort } = props.filter;
  return (
    <div className={cx(view === 'grid' ? css.grid : css.list, sort !== 'size' && css.months)}>
      <div className={css.line}>
        <div ref={column} className={css.column} />
      </div>
      {album === undefined && <PrintSkeletons message="Loading our memories..." count={8} />}
      {album && width > 0 && <Sheets {...props} album={album} width={width} />}
    </div>
  );
}

interface SheetsProps extends GalleryRowsProps {
  readonly album: PagedAlbum;
  readonly width: number;
}

function Sheets({ album, filter, width, onView, onEdit, onDelete }: SheetsProps) {
  const { view, sort, dateId } = filter;
  const { sheets, months } = album;
  const space = useMemo(() => {
    const { height, mat } = width < PHONE.below ? PHONE : DESK;
    return { width, height, mat, gap: GAP, single: view === 'list' };
  }, [width, view]);
  const estimatedHeights = useMemo(() => sheets.map((sheet) => estimateSheet(sheet, space)), [sheets, space]);
  const virtualSheets = useVirtualSheets(sheets, estimatedHeights, `${view} ${width}`);
  const { box, before, after, first, last } = virtualSheets;
  const keys = (from: number, to: number) => sheets.slice(Math.max(0, from), to).map(({ key }) => key);
  const loading = useLoadSheets({ dateId, sort }, album, keys(first, last + 1), keys(first - 1, last + 2));
  const opening = sheets[virtualSheets.at]?.month ?? null;
  return (
    <>
      {months.length > 1 && (
        <MonthJump
          months={months}
          value={opening}
          onJump={(month) => virtualSheets.goTo(sheets.findIndex((sheet) => sheet.month === month))}
        />
      )}
      <div ref={box} className={css.sheets} style={{ paddingBlock: `${before}px ${after}px` }}>
        {sheets.slice(first, last + 1).map((sheet, n) => (
          <GallerySheet
            key={sheet.key}
            sheet={sheet}
            memories={memoriesOf(album, sheet)}
            head={sheet.opens ? months.find(({ month }) => month === sheet.month) : undefined}
            space={space}
            time={sort === 'size' ? 'uploadedAt' : timeFieldOf(sort)}
            estimatedHeight={estimatedHeights[first + n] as number}
            onHeight={virtualSheets.measure}
            onView={onView}
            onEdit={onEdit}
            onDelete={onDelete}
          />
        ))}
      </div>
      {loading.hasFailed && (
        <div className={css.failed}>
          <ErrorCard title={null} onRetry={loading.retry}>
            Failed to load memories. Please try again.
          </ErrorCard>
        </div>
      )}
    </>
  );
}

function estimateSheet({ count, opens, month }: Sheet, space: RowSpace): number {
  return estimateHeight(count, space) + (opens && month !== null ? MONTH_HEAD : 0);
}
