import { cx } from '../cx.ts';
import css from './bow.module.css';

const KNOT = 'M39.5 40.5c2.5-2.5 6.5-2.5 9 0 2 3 1.5 6-.5 8-2.5 1.6-5.5 1.6-8 0-2-2-2.5-5-.5-8z';
const BOW =
  'M44 44C36 26 16 18 11 27c-5 9 13 20 33 17zM44 44c8-18 28-26 33-17 5 9-13 20-33 17zM44 44c-2 14-9 25-20 31M44 44c4 12 10 22 22 27';
const PULLED =
  'M44 44C34 33 21 28 17 35c-3 8 11 14 27 9zM44 44c11 2 19 12 22 27 2 13 2 27 11 38M44 44c-1 12-6 24-18 34';

/** The bow of a parcel, drawn in cord over its shade. `pulled`: one loop is gone. */
export function Bow({ pulled, className }: { pulled?: boolean; className?: string | undefined }) {
  const cord = pulled ? PULLED : BOW;
  return (
    <svg className={cx(css.bow, 'drawn', className)} viewBox="0 0 88 88" aria-hidden="true">
      <path className={css.shade} d={cord} />
      <path d={cord} />
      <path className={css.knot} d={KNOT} />
    </svg>
  );
}

/** The bow, small, beside a word. */
export function BowIcon() {
  return (
    <svg className={`${css.icon} drawn`} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 11.5C9.5 6.5 4.6 5.4 4 8.2c-.5 2.5 3.6 4.6 8 3.3zM12 11.5c2.5-5 7.4-6.1 8-3.3.5 2.5-3.6 4.6-8 3.3zM12 11.5c-.8 3.2-2.6 5.7-5.5 7.3M12 11.5c.8 3.2 2.6 5.7 5.5 7.3" />
    </svg>
  );
}
