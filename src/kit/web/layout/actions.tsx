import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './actions.module.css';

/** A row of buttons that wraps. */
export function Actions({
  children,
  centre,
  className,
}: {
  children: ReactNode;
  centre?: boolean;
  className?: string;
}) {
  return <div className={cx(css.actions, centre && css.centre, className)}>{children}</div>;
}
