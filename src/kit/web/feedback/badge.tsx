import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './badge.module.css';

/** A word on a tinted background: 'New', 'Completed'. Without a `hue` it has a thin frame: 'Popular'. */
export function Badge({ hue, children }: { hue?: string | undefined; children: ReactNode }) {
  return (
    <span className={cx(css.badge, !hue && css.framed)} data-hue={hue}>
      {children}
    </span>
  );
}
