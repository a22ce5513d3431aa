import { Fragment, type ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './figures.module.css';

export interface FiguresProps {
  /** The figures with their names. Format a duration with `withUnits`. */
  items: readonly { label: string; value: ReactNode }[];
}

/** Renders '3 days 14 hours' or '8h 17m' with small units. Lines break between the parts, not within one. */
export function withUnits(text: string): ReactNode {
  return text.split(/ (?=\d)/).map((part, index) => (
    <Fragment key={part}>
      {index > 0 && ' '}
      <span className="keep">
        {Number.parseInt(part)}
        <small className={css.unit}>{part.replace(/^\d+/, '')}</small>
      </span>
    </Fragment>
  ));
}

/** A `dl` of large figures with their names. */
export function Figures({ items }: FiguresProps) {
  return (
    <dl className={cx(css.figures, 'num')}>
      {items.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
