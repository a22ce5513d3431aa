import { ChevronDown } from 'lucide-react';
import { useDeferredValue } from 'react';
import { monthName } from '../../../base/date-formats.ts';
import { cx } from '../../../kit/web/cx.ts';
import select from '../../../kit/web/forms/select-field.module.css';
import type { MonthCount } from '../../paged-album.ts';
import css from './month-jump.module.css';

export interface MonthJumpProps {
  readonly months: readonly MonthCount[];
  /** The month at the top of the screen. */
  readonly value: string | null;
  readonly onJump: (month: string) => void;
}

/** A select at the edge of the screen with the current month, to jump to another. */
export function MonthJump({ months, value, onJump }: MonthJumpProps) {
  // Many years have hundreds of options, and the photographs do not wait for them.
  const hasOthers = useDeferredValue(true, false);
  const options = hasOthers ? months : months.filter(({ month }) => month === value);
  return (
    <div className={css.jump}>
      <span className={cx(select.select, css.slip)}>
        <select aria-label="Jump to month" value={value ?? ''} onChange={({ target }) => onJump(target.value)}>
          {options.map(({ month }) => (
            <option key={month} value={month ?? ''}>
              {monthName(month ?? '')}
            </option>
          ))}
        </select>
        <ChevronDown />
      </span>
    </div>
  );
}
