import type { ReactNode } from 'react';
import css from './cover.module.css';

export interface CoverProps {
  /** The page's h1. */
  title: string;
  /** One line under it. */
  subtitle: string;
  /** The content of the label. */
  children: ReactNode;
}

/** The `main` of the signed-out screens: a closed album with a label. */
export function Cover({ title, subtitle, children }: CoverProps) {
  return (
    <main id="main" tabIndex={-1} className={css.cover}>
      <div className={css.board}>
        <header className={css.head}>
          <h1 className="title title-cover">{title}</h1>
          <p className="felt">{subtitle}</p>
        </header>
        <div className={css.label}>{children}</div>
      </div>
    </main>
  );
}
