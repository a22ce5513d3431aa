import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './list-tools.module.css';

/** The number of results: '12 ideas found'. A `role=status`, so that screen readers announce a filter's result. */
export function FoundCount({ children }: { children: ReactNode }) {
  return (
    <p className={cx(css.found, 'num')} role="status">
      {children}
    </p>
  );
}
