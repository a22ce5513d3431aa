import { type ReactNode, use } from 'react';
import css from '../layout/tabs.module.css';
import { LabelClass } from './label-class.ts';

export interface ToggleGroupProps<V extends string> {
  /** The group's accessible name: 'View', 'Period'. */
  label: string;
  options: readonly { value: V; label: string; icon?: ReactNode }[];
  value: V;
  onChange: (value: V) => void;
}

/** A group of buttons of which one is pressed (`aria-pressed`): 'Grid' and 'List', or the statistics' periods. */
export function ToggleGroup<V extends string>({ label, options, value, onChange }: ToggleGroupProps<V>) {
  const labelClass = use(LabelClass);
  return (
    <div className={css.row} role="group" aria-label={label} data-ui="toggle">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={css.one}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.icon}
          <span className={option.icon ? labelClass : undefined}>{option.label}</span>
        </button>
      ))}
    </div>
  );
}
