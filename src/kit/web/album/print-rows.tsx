import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './print.module.css';

export interface PrintRowsProps {
  /** Prints with `as="li"`. */
  children: ReactNode;
  /** Puts all prints in one row. */
  one?: boolean;
  small?: boolean;
  label?: string;
}

/** Prints in justified rows, each with its own aspect ratio. */
export function PrintRows({ children, one, small, label }: PrintRowsProps) {
  return (
    <ul className={cx(css.rows, one && css.one, small && css.small)} aria-label={label}>
      {children}
    </ul>
  );
}
