import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import field from './field.module.css';
import { Field, type FieldWords, fieldParts } from './field.tsx';
import css from './select-field.module.css';

export interface SelectFieldProps extends FieldWords, ComponentProps<'select'> {}

/** A native select; its `option`s are the children. Phones bring their own picker. */
export function SelectField({ className, children, ...props }: SelectFieldProps) {
  const { words, control } = fieldParts(props);
  return (
    <Field {...words} className={className}>
      {(tied) => (
        <span className={css.select}>
          <select {...control} {...tied} className={field.box}>
            {children}
          </select>
          <ChevronDown />
        </span>
      )}
    </Field>
  );
}
