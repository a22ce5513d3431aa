import css from './drawings.module.css';
import { Drawing } from './drawings.tsx';

/** An index card and a pencil: no ideas. */
export function DrawnIndexCard() {
  return (
    <Drawing>
      <path d="M28 36h104v58H28z" />
      <path d="M36 36V24h34v12" />
      <path className={css.thread} d="M28 52h104" />
      <path d="M38 63h70M38 73h84M38 83h46" />
      <path d="M110 108l4-14 24-30 9 7-24 30z" />
      <path d="M114 94l9 7" />
      <path className={css.sewn} d="M8 110c30 6 60-6 100-1" />
    </Drawing>
  );
}
