import type { ReactNode } from 'react';
import css from './drawings.module.css';

/** The frame of the line drawings for empty states. They are decorative. */
export function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg className={`${css.drawing} drawn`} viewBox="0 0 160 120" aria-hidden="true">
      {children}
    </svg>
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
    <svg className={`${css.heart} drawn`} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12.2 20.3C6.3 16 3.2 12.6 3.2 8.9c0-2.9 2.1-5 4.7-5 1.9 0 3.5 1.1 4.3 3 .8-1.9 2.5-3.1 4.4-3.1 2.5 0 4.3 2 4.3 4.8 0 3.9-3.3 7.3-7.9 10.7" />
    </svg>
  );
}
