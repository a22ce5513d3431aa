import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './facts.module.css';

export interface FactsProps {
  /** Entries without a value are skipped. */
  items: readonly { label: string; value: ReactNode }[];
  /** Draws lines between the entries and sets the values in serif: records, fun facts. */
  ruled?: boolean;
}

/** A `dl` with one label and value per line: 'Location', 'Actual start'. */
export function Facts({ items, ruled }: FactsProps) {
  return (
    <dl className={cx(css.facts, ruled && css.ruled, 'num')}>
      {items
        .filter(({ value }) => value !== null && value !== undefined && value !== '')
        .map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
