import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './page.module.css';

export interface PageProps {
  children: ReactNode;
  /** Its content is still loading. */
  busy?: boolean | undefined;
}

/** The props of every page's `main`: the target of the skip link and of the focus after navigation. */
const main = { id: 'main', tabIndex: -1 };

/** The `main` of a screen as one wide page: lists, gallery, forms, settings. */
export function Page({ children, busy }: PageProps) {
  return (
    <main {...main} className={css.page} aria-busy={busy || undefined}>
      {children}
    </main>
  );
}

/**
 * The `main` of a screen as a two-page spread. Its children are two `Leaf`s, or with `parts` Leaves with `part` first to
 * fourth: the third is below the first, and the fourth below the second. The fourth may be missing or empty. A `Folio`
 * may follow.
 */
export function Spread({
  children,
  className,
  busy,
  parts,
}: PageProps & { className?: string | undefined; parts?: boolean }) {
  return (
    <main {...main} className={cx(css.page, css.spread, parts && css.parts, className)} aria-busy={busy || undefined}>
      {children}
    </main>
  );
}

/** One side of a Spread. It spaces its parts. */
export function Leaf({ children, part }: { children: ReactNode; part?: 'first' | 'second' | 'third' | 'fourth' }) {
  return <div className={cx(css.leaf, part && css[part])}>{children}</div>;
}

/** A page for one form: `Side part="words"`, `part="work"` beside it, and `part="more"` under the words. */
export function SidePage({ children }: { children: ReactNode }) {
  return (
    <main {...main} className={cx(css.page, css.side)}>
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
