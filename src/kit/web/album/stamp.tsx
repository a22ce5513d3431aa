import { cx } from '../cx.ts';
import css from './stamp.module.css';

export interface StampProps {
  /** The word in the middle: 'Completed'. */
  label: string;
  /** The lines above and under it: 'Nov 14', '2026'. Hidden from screen readers, because the ticket gives its date. */
  top: string;
  bottom: string;
  /** Plays the stamping animation. */
  fresh: boolean | undefined;
  className?: string | undefined;
}

/** A round rubber stamp over a ticket, such as 'Completed' with its day. */
export function Stamp({ label, top, bottom, fresh, className }: StampProps) {
  return (
    <p className={cx(css.stamp, fresh && css.fresh, className)}>
      <span className={css.top} aria-hidden="true">
        {top}
      </span>
      <span className={css.word}>{label}</span>
      <span className={css.bottom} aria-hidden="true">
        {bottom}
      </span>
    </p>
  );
}
