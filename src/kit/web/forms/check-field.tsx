import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from '../cx.ts';
import css from './check-field.module.css';
import { useLockWhileSending } from './use-lock-while-sending.ts';

export interface CheckFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'role'> {
  /** For a setting that applies at once without a save button. */
  role?: 'switch';
  /** The accessible name. */
  label: string;
  hint?: ReactNode;
}

/** A checkbox or a switch with a label. Spread react-hook-form's `register('isActive')` into it. */
export function CheckField({ label, hint, id, className, ...rest }: CheckFieldProps) {
  const generatedId = useId();
  const own = id ?? generatedId;
  const lock = useLockWhileSending();
  return (
    <div className={cx(css.field, className)} data-ui="check">
      <label className={css.check} {...lock.around}>
        <input
          {...rest}
          {...lock.control}
          id={own}
          type="checkbox"
          aria-describedby={hint ? `${own}-hint` : undefined}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p className={cx(css.hint, rest.role === 'switch' && css.switchHint)} id={`${own}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
