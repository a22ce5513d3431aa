import type { ReactNode } from 'react';
import { LabelClass } from '../forms/label-class.ts';
import css from './list-tools.module.css';

/** A row for a list's search, selects, tabs, toggles and `FoundCount`. */
export function ListTools({ children }: { children: ReactNode }) {
  return (
    <LabelClass value="visually-hidden desk-words">
      <div className={css.tools}>{children}</div>
    </LabelClass>
  );
}
