import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './tools.module.css';

/** Search, selects, tabs and toggles of a list in their row. `Found` may stand in it. */
export function Tools({ children }: { children: ReactNode }) {
  return <div className={css.tools}>{children}</div>;
}

/** How many were found: '12 ideas found'. A `role=status`, so that a filter's outcome is heard. */
export function Found({ children }: { children: ReactNode }) {
  return (
    <p className={cx(css.found, 'num')} role="status">
      {children}
    </p>
  );
}
