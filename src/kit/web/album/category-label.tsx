import type { ReactNode } from 'react';
import css from './category-label.module.css';

/** A category's icon and name, in the color of its hue. */
export function CategoryLabel({ hue, icon, children }: { hue: string; icon: ReactNode; children: ReactNode }) {
  return (
    <span className={css.category} data-hue={hue}>
      <span aria-hidden="true">{icon}</span>
      {children}
    </span>
  );
}
