import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import { LabelClass } from '../forms/label-class.ts';
import css from './list-tools.module.css';

/** A row for a list's search, selects, tabs, toggles and `FoundCount`. */
export function ListTools({ children }: { children: ReactNode }) {
  return (
    <LabelClass value="visually-hidden desk-words">
      <div className={css.tools}>{children}</div>
    </LabelClass>
  );
}

/** The number of results: '12 ideas found'. A `role=status`, so that screen readers announce a filter's result. */
export function FoundCount({ children }: { children: ReactNode }) {
  return (
    <p className={cx(css.found, 'num')} role="status">
      {children}
    </p>
  );
}
