import { BowIcon } from './bow.tsx';
import css from './kraft-label.module.css';

/** A small label of kraft paper with a bow: 'Surprise', 'From Elias'. */
export function KraftLabel({ children }: { children: string }) {
  return (
    <span className={css.label}>
      <BowIcon />
      <span>{children}</span>
    </span>
  );
}
