import { cx } from '../cx.ts';
import css from './stamp.module.css';

export interface StampProps {
  /** The word across the middle: 'Completed'. */
  label: string;
  /** Above and under it: 'Nov 14', '2026'. Not read out: what is stamped says its date itself. */
  top?: string | undefined;
  bottom?: string | undefined;
  hue?: string | undefined;
  /** It is being stamped just now. */
  fresh?: boolean | undefined;
  className?: string | undefined;
}

/** A round stamp. */
export function Stamp({ label, top, bottom, hue, fresh, className }: StampProps) {
  return (
    <p className={cx(css.stamp, fresh && css.fresh, className)} data-hue={hue}>
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
