import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './page.module.css';

export interface PageProps {
  children: ReactNode;
  className?: string | undefined;
  /** While its content is on the way. */
  busy?: boolean | undefined;
}

/** What every page's `main` carries: the skip link's aim, and where the focus goes after a page is turned. */
const main = { id: 'main', tabIndex: -1 };

/** One broad page bound at the left: lists, gallery, forms, settings. The `main` of its screen. */
export function Page({ children, className, busy }: PageProps) {
  return (
    <main {...main} className={cx(css.page, className)} aria-busy={busy || undefined}>
      {children}
    </main>
  );
}

/**
 * A two-page spread with its fold; its children are two `Leaf`, or, with `three`, Leaves with `part` first, second and
 * third, where the third stands under the first and comes last on a phone. A `Folio` may follow.
 */
export function Spread({ children, className, busy, three }: PageProps & { three?: boolean }) {
  return (
    <main {...main} className={cx(css.page, css.spread, three && css.three, className)} aria-busy={busy || undefined}>
      {children}
    </main>
  );
}

/** One side of a Spread; its parts stand apart by themselves. */
export function Leaf({ children, part }: { children: ReactNode; part?: 'first' | 'second' | 'third' }) {
  return <div className={cx(css.leaf, part && css[part])}>{children}</div>;
}

/** A page for one form: `Side part="words"`, then `part="work"` beside it, and `part="more"` under the words. */
export function SidePage({ children, className, busy }: PageProps) {
  return (
    <main {...main} className={cx(css.page, css.side, className)} aria-busy={busy || undefined}>
      {children}
    </main>
  );
}

/** A part of a SidePage. */
export function Side({ children, part }: { children: ReactNode; part: 'words' | 'work' | 'more' }) {
  return <div className={css[part]}>{children}</div>;
}

/** The line at the foot of a page: 'Nora & Elias, since the first of March 2024'. */
export function Folio({ children }: { children: ReactNode }) {
  return <p className={css.folio}>{children}</p>;
}
