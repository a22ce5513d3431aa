import css from './drawings.module.css';
import { Drawing } from './drawings.tsx';

/** Empty prints: no memories. */
export function DrawnPrints() {
  return (
    <Drawing>
      <path d="M34 30h74v58H34z" />
      <path d="M41 37h60v38H41z" />
      <path d="M41 68l15-14 12 12 9-8 24 17" />
      <circle cx="85" cy="48" r="4" />
      <path d="M28 40V24h16M98 24h16v16M28 78v16h16M98 94h16V78" />
      <path d="M114 84l16-5 8 22-12 4" />
      <path className={css.sewn} d="M8 112c22-6 40 4 62-2s40-4 82 0" />
    </Drawing>
  );
}
