import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './medal.module.css';

/** A milestone's medal: gold if `earned`, else an outline. Decorative, because the text is beside it. */
export function Medal({ earned, large, children }: { earned: boolean; large?: boolean; children: ReactNode }) {
  return (
    <span className={cx(css.medal, large && css.large, !earned && css.outline)} aria-hidden="true">
      {children}
    </span>
  );
}
