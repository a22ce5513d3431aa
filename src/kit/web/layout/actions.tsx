import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './actions.module.css';

/** A row of buttons that wraps. */
export function Actions({
  children,
  center,
  className,
}: {
  children: ReactNode;
  center?: boolean;
  className?: string;
}) {
  return <div className={cx(css.actions, center && css.center, className)}>{children}</div>;
}
