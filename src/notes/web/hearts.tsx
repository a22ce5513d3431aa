import { plural } from '../../base/number-texts.ts';
import { cx } from '../../kit/web/cx.ts';
import field from '../../kit/web/forms/field.module.css';
import { useLockWhileSending } from '../../kit/web/forms/use-lock-while-sending.ts';
import { noteLimits } from '../rules.ts';
import css from './hearts.module.css';

const EACH = Array.from({ length: noteLimits.hearts }, (_, index) => index + 1);

function Heart({ filled }: { filled?: boolean }) {
  return (
    <svg className={cx(css.heart, 'drawn', filled && css.filled)} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 20C6.5 15.500 4 12.500 4 9.200 4 6.800 5.800 5 8 5c1.800 0 3.200 1 4 2.600C12.800 6 14.200 5 16 5c2.200 0 4 1.800 4 4.200 0 3.300-2.500 6.300-8 10.800z" />
    </svg>
  );
}

/** The hearts that a note gives; nothing if it gives none. */
export function HeartsOf({ hearts }: { hearts: number | null }) {
  if (hearts === null) return null;
  return (
    <span className={css.given} role="img" aria-label={`${hearts} of ${plural(noteLimits.hearts, 'heart')}`}>
      {EACH.map((one) => (
        <Heart key={one} filled={one <= hearts} />
      ))}
    </span>
  );
}

export interface HeartsFieldProps {
  readonly value: number | null;
  readonly onChange: (hearts: number | null) => void;
}

/** 'How was it?': one to five hearts, or none. */
export function HeartsField({ value, onChange }: HeartsFieldProps) {
  const lock = useLockWhileSending();
  const radio = (hearts: number | null, name: string) => (
    <input
      type="radio"
      name="hearts"
      aria-label={name}
      checked={value === hearts}
      {...lock.control}
      onChange={() => onChange(hearts)}
    />
  );
  return (
    <fieldset>
      <legend className="aside">
        How was it? <span className={field.optional}>optional</span>
      </legend>
      <div className={css.choices} {...lock.around}>
        <div className={css.row}>
          {EACH.map((hearts) => (
            <label key={hearts} className={css.choice}>
              {radio(hearts, plural(hearts, 'heart'))}
              <Heart filled={value !== null && hearts <= value} />
            </label>
          ))}
        </div>
        <label className={cx(css.choice, css.none)}>
          {radio(null, 'No hearts')}
          <span aria-hidden="true">none</span>
        </label>
      </div>
    </fieldset>
  );
}
