import type { ReactNode } from 'react';
import css from './category-label.module.css';

/** A category: its emoji or drawing beside its name, in the ink of its hue. */
export function CategoryLabel({ hue, icon, children }: { hue: string; icon: ReactNode; children: ReactNode }) {
  return (
    <span className={css.category} data-hue={hue}>
      <span aria-hidden="true">{icon}</span>
      {children}
    </span>
  );
}
