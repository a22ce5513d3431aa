import type { ReactNode } from 'react';
import css from './drawings.module.css';

/** The frame of the line drawings for empty states. They are decorative. */
export function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg className={css.drawing} viewBox="0 0 160 120" aria-hidden="true">
      {children}
    </svg>
  );
}

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

/** A ticket with a heart on its stub: no dates planned. */
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

/** A print with a snapped thread: an error. */
export function DrawnSnapped() {
  return (
    <Drawing>
      <path d="M52 26h56v64H52z" />
      <path d="M58 32h44v40H58z" />
      <path d="M80 62c-7-5-10-8.5-10-12 0-3 2-5 4.7-5 2.3 0 4.2 1.3 5.3 3.5 1.1-2.2 3-3.5 5.3-3.5 2.7 0 4.7 2 4.7 5 0 3.5-3 7-10 12z" />
      <path className={css.sewn} d="M6 104c24-6 40 6 62 0l4-6M154 102c-24 6-44-6-62 0l-6 6" />
    </Drawing>
  );
}

/** A heart in one stroke: the placeholder of a missing picture, and the floating hearts. */
export function DrawnHeart() {
  return (
    <svg className={css.heart} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12.2 20.3C6.3 16 3.2 12.6 3.2 8.9c0-2.9 2.1-5 4.7-5 1.9 0 3.5 1.1 4.3 3 .8-1.9 2.5-3.1 4.4-3.1 2.5 0 4.3 2 4.3 4.8 0 3.9-3.3 7.3-7.9 10.7" />
    </svg>
  );
}
