import type { ReactNode } from 'react';
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
