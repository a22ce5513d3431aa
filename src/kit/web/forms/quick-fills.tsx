import css from './quick-fills.module.css';
import { useLockWhileSending } from './use-lock-while-sending.ts';

export interface QuickFillsProps {
  /** The accessible name of the group: 'Quick fill'. */
  legend: string;
  /** `holds`: the field has this value now. */
  options: { label: string; holds: boolean; fill: () => void }[];
}

/** Buttons that fill in a time with one press. */
export function QuickFills({ legend, options }: QuickFillsProps) {
  const lock = useLockWhileSending();
  return (
    <fieldset className={css.quick}>
      <legend>{legend}</legend>
      <div className={css.options} {...lock.around}>
        {options.map(({ label, holds, fill }) => (
          <button
            key={label}
            type="button"
            className={css.option}
            aria-pressed={holds}
            {...lock.control}
            onClick={fill}
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
