import { cx } from '../cx.ts';
import css from './progress-bar.module.css';

export interface ProgressBarProps {
  /** The accessible name: 'Century Club', 'Upload'. */
  label: string;
  /** Absent while unknown. */
  value?: number | undefined;
  max?: number;
  /** Complete: drawn in gold. */
  done?: boolean;
  /** Drawn as a strip of paper instead of thread, for charts. */
  strip?: boolean;
  className?: string | undefined;
}

/** A native `progress` (`role=progressbar`), drawn as a rose thread. */
export function ProgressBar({ label, value, max = 100, done, strip, className }: ProgressBarProps) {
  return (
    <progress
      className={cx(css.bar, strip ? css.strip : css.thread, done && css.done, className)}
      value={value}
      max={max}
      aria-label={label}
    />
  );
}
