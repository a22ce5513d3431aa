import type { ReactNode } from 'react';
import css from './cover.module.css';

export interface CoverProps {
  /** The page's h1. */
  title: string;
  /** One line under it. */
  words: string;
  /** What stands on the label that is pasted on. */
  children: ReactNode;
}

/** The closed album, as whoever is signed out sees it. The `main` of its screen. */
export function Cover({ title, words, children }: CoverProps) {
  return (
    <main id="main" tabIndex={-1} className={css.cover}>
      <div className={css.board}>
        <header className={css.head}>
          <h1 className="title title-cover">{title}</h1>
          <p className="felt">{words}</p>
        </header>
        <div className={css.label}>{children}</div>
      </div>
    </main>
  );
}
