import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './facts.module.css';

export interface FactsProps {
  /** Entries without a value are left out. */
  items: readonly { label: string; value: ReactNode }[];
  /** Hairlines between, the values in the serif: records, fun facts. */
  ruled?: boolean;
}

/** Label and value, one to a line: 'Location', 'Actual start'. A `dl`. */
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
