import { cx } from '../cx.ts';
import css from './page.module.css';
import { mainProps, type PageProps } from './page.tsx';

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
