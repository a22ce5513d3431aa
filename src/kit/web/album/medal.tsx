import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './medal.module.css';

/** A milestone's medal, in gold when `earned`, else its outline. Decoration: the words stand beside it. */
export function Medal({ earned, large, children }: { earned: boolean; large?: boolean; children: ReactNode }) {
  return (
    <span className={cx(css.medal, large && css.large, !earned && css.open)} aria-hidden="true">
      {children}
    </span>
  );
}
