import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './grid.module.css';

/** A list of cards; its children are `li`, each holding one card. Two columns on the desk, or `three`. */
export function Grid({ children, three, label }: { children: ReactNode; three?: boolean; label?: string }) {
  return (
    <ul className={cx(css.grid, three && css.three)} aria-label={label}>
      {children}
    </ul>
  );
}
