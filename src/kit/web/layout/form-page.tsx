import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './page.module.css';
import { mainProps } from './page.tsx';

/** A page for one form: `Side part="words"`, `part="work"` beside it, and `part="more"` under the words. */
export function FormPage({ children }: { children: ReactNode }) {
  return (
    <main {...mainProps} className={cx(css.page, css.side)}>
      {children}
    </main>
  );
}

/** A part of a FormPage. */
export function Side({ children, part }: { children: ReactNode; part: 'words' | 'work' | 'more' }) {
  return <div className={css[part]}>{children}</div>;
}
