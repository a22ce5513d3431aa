import css from './drawings.module.css';
import { Drawing } from './drawings.tsx';

/** A blank medal on its ribbon: no milestones yet. In a file of its own, because the first page does not need it. */
export function DrawnBlankMedal() {
  return (
    <Drawing>
      <path d="M58 18l14 34M102 18L88 52M66 18l13 31M94 18L81 49" />
      <circle cx="80" cy="72" r="22" />
      <circle cx="80" cy="72" r="17" strokeDasharray="2 4" />
      <path d="M80 81c-6-4.5-9-7.5-9-10.7 0-2.6 1.8-4.3 4.2-4.3 2 0 3.8 1.2 4.8 3.1 1-1.9 2.8-3.1 4.8-3.1 2.4 0 4.2 1.7 4.2 4.3 0 3.2-3 6.2-9 10.7z" />
      <path className={css.sewn} d="M8 108c28 6 48-6 72 0s46 4 72-2" />
    </Drawing>
  );
}
