import { useHeld } from './held.ts';
import css from './quick-fills.module.css';

export interface QuickFillsProps {
  /** The accessible name of the group: 'Quick fill'. */
  legend: string;
  /** `holds`: the field has this value now. */
  options: { label: string; holds: boolean; fill: () => void }[];
}

/** Buttons that fill in a time with one press. */
export function QuickFills({ legend, options }: QuickFillsProps) {
  const held = useHeld();
  return (
    <fieldset className={css.quick}>
      <legend>{legend}</legend>
      <div className={css.options} {...held.around}>
        {options.map(({ label, holds, fill }) => (
          <button
            key={label}
            type="button"
            className={css.option}
            aria-pressed={holds}
            {...held.control}
            onClick={fill}
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
