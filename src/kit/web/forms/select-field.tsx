import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import field from './field.module.css';
import { Field, type FieldTexts, fieldParts } from './field.tsx';
import css from './select-field.module.css';
import { useLockWhileSending } from './use-lock-while-sending.ts';

export interface SelectFieldProps extends FieldTexts, ComponentProps<'select'> {}

/** A native select, so that phones show their own picker. Its `option`s are the children. */
export function SelectField({ className, children, ...props }: SelectFieldProps) {
  const { texts, control } = fieldParts(props);
  const lock = useLockWhileSending();
  return (
    <Field {...texts} className={className}>
      {(tied) => (
        <span className={css.select} {...lock.around}>
          <select {...control} {...tied} {...lock.control} className={field.box}>
            {children}
          </select>
          <ChevronDown />
        </span>
      )}
    </Field>
  );
}
