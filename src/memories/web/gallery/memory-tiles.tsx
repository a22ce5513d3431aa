import { Eye, Pencil, Trash2 } from 'lucide-react';
import { mediumDate, monthAndDay } from '../../../base/date-formats.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { Photo } from '../../../kit/web/album/photo.tsx';
import { Print } from '../../../kit/web/album/print.tsx';
import { cx } from '../../../kit/web/cx.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { IconButton } from '../../../kit/web/forms/icon-button.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import type { Memory } from '../../contract.ts';
import { verbWithCaption } from '../../gallery-texts.ts';
import { blurOf } from '../blur.ts';
import { shownRatio } from './lay-out-rows.ts';
import css from './memory-tiles.module.css';

export interface TileProps {
  readonly memory: Memory;
  readonly onView: () => void;
  readonly onEdit: (memory: Memory) => void;
  readonly onDelete: (memory: Memory) => void;
  /** Whether the margin already shows the year. */
  readonly withinMonth: boolean;
  /** The time whose day it shows: that of the list's order. */
  readonly time: 'uploadedAt' | 'happenedAt';
}

/** A memory in the grid: a print, its caption, and its buttons. */
export function GridTile({ memory, onView, onEdit, onDelete, withinMonth, time }: TileProps) {
  const { caption } = memory;
  const day = withinMonth ? monthAndDay : mediumDate;
  return (
    <Print
      as="li"
      src={memory.thumbnailUrl}
      width={shownRatio(memory) * 1000}
      height={1000}
      blur={() => blurOf(memory.thumbHash)}
      eager
      caption={caption}
      meta={day(Date.parse(memory[time]), deviceZone())}
      view={{ label: verbWithCaption('View', caption), onClick: onView }}
      actions={
        <>
          <IconButton label={verbWithCaption('Edit', caption)} icon={<Pencil />} onClick={() => onEdit(memory)} />
          <IconButton label={verbWithCaption('Delete', caption)} icon={<Trash2 />} onClick={() => onDelete(memory)} />
        </>
      }
    />
  );
}

/** A memory in the list: its print, its caption, and its buttons. */
export function ListTile({ memory, onView, onEdit, onDelete, time }: TileProps) {
  const { caption } = memory;
  const ratio = shownRatio(memory);
  return (
    <li className={css.item}>
      <span className={css.photo} style={{ '--ar': ratio.toFixed(4) }}>
        <Photo
          src={memory.thumbnailUrl}
          width={ratio * 1000}
          height={1000}
          blur={() => blurOf(memory.thumbHash)}
          eager
        />
      </span>
      <p className={css.words}>
        <span className={cx(css.caption, 'clamp', caption === null && css.none)}>{caption ?? 'no caption'}</span>
        <small className="num">
          {mediumDate(Date.parse(memory[time]), deviceZone())} · {memory.formattedFileSize}
        </small>
      </p>
      <Actions className={css.actions}>
        <Button variant="text" icon={<Eye />} aria-label={verbWithCaption('View', caption)} onClick={onView}>
          View
        </Button>
        <Button
          variant="text"
          icon={<Pencil />}
          aria-label={verbWithCaption('Edit', caption)}
          onClick={() => onEdit(memory)}
        >
          Edit
        </Button>
        <Button
          variant="text"
          icon={<Trash2 />}
          aria-label={verbWithCaption('Delete', caption)}
          onClick={() => onDelete(memory)}
        >
          Delete
        </Button>
      </Actions>
    </li>
  );
}
