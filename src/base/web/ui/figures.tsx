import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import css from './figures.module.css';

export interface FiguresProps {
  /** The name under each figure. A unit within a figure is a `small`: `86<small>h</small>`. */
  items: readonly { label: string; value: ReactNode }[];
  /** The first across the whole width, the rest under it: the statistics. */
  large?: boolean;
}

/** Figures with their names: a `dl`. */
export function Figures({ items, large }: FiguresProps) {
  return (
    <dl className={cx(css.figures, large && css.large, 'num')}>
      {items.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
