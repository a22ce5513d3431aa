import type { ReactNode } from 'react';
import { cx } from '../../kit/web/cx.ts';
import css from './duration-row.module.css';

export interface DurationRowProps {
  readonly label: string;
  /** Replaces the look of the value, which suits a dialog. */
  readonly valueClass?: string | undefined;
  readonly children: ReactNode;
}

/** The duration of a date, computed from its times and not editable. Screen readers announce each change. */
export function DurationRow({ label, valueClass = css.value, children }: DurationRowProps) {
  return (
    <p className={css.row} role="status">
      <span className="aside num">{label}</span>
      <span className={cx('num', valueClass)}>{children}</span>
    </p>
  );
}
