import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './page.module.css';

/** One side of a Spread. It spaces its parts. */
export function Leaf({ children, part }: { children: ReactNode; part?: 'first' | 'second' | 'third' | 'fourth' }) {
  return <div className={cx(css.leaf, part && css[part])}>{children}</div>;
}
