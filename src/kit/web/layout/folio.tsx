import type { ReactNode } from 'react';
import css from './page.module.css';

/** The line at the foot of a page: 'Nora & Elias, since the first of March 2024'. */
export function Folio({ children }: { children: ReactNode }) {
  return <p className={css.folio}>{children}</p>;
}
