import css from './drawings.module.css';
import { Drawing } from './drawings.tsx';

/** A ticket with a heart on its stub: for empty states about dates. */
export function DrawnTicket() {
  return (
    <Drawing>
      <path d="M22 34h36a5 5 0 0 0 10 0h70v50H68a5 5 0 0 0-10 0H22z" />
      <path d="M63 43v32" strokeDasharray="1 5" />
      <path d="M40 68c-7-5.5-10-9-10-13 0-3 2.2-5 5-5 2.2 0 4 1.2 5 3.2 1-2 2.8-3.2 5-3.2 2.8 0 5 2 5 5 0 4-3 7.5-10 13z" />
      <path d="M78 50h46M78 59h34M78 68h24" />
      <path className={css.sewn} d="M8 104c24 8 44-6 70 0s48 2 74-2" />
    </Drawing>
  );
}
