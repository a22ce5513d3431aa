import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './grid.module.css';

/** A list of cards. Its children are `li`s with one card each. Two columns on wide screens, or `three`. */
export function Grid({ children, three, label }: { children: ReactNode; three?: boolean; label?: string }) {
  return (
    <ul className={cx(css.grid, three && css.three)} aria-label={label}>
      {children}
    </ul>
  );
}
