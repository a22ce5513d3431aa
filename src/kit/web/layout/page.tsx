import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './page.module.css';

export interface PageProps {
  children: ReactNode;
  /** Its content is still loading. */
  busy?: boolean | undefined;
}

/** The props of every page's `main`: the target of the skip link and of the focus after navigation. */
export const mainProps = { id: 'main', tabIndex: -1 };

/** The `main` of a screen as one wide page: lists, gallery, forms, settings. */
export function Page({ children, busy }: PageProps) {
  return (
    <main {...mainProps} className={css.page} aria-busy={busy || undefined}>
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
    <main
      {...mainProps}
      className={cx(css.page, css.spread, parts && css.parts, className)}
      aria-busy={busy || undefined}
    >
      {children}
    </main>
  );
}

/** One side of a Spread. It spaces its parts. */
export function Leaf({ children, part }: { children: ReactNode; part?: 'first' | 'second' | 'third' | 'fourth' }) {
  return <div className={cx(css.leaf, part && css[part])}>{children}</div>;
}
