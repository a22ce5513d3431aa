import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';
import field from './field.module.css';
import { Field, type FieldWords, fieldParts } from './field.tsx';
import css from './text-field.module.css';

export interface TextFieldProps extends FieldWords, Omit<ComponentProps<'input'>, 'maxLength'> {
  /** Stands at the end of the box ('Show'). */
  end?: ReactNode;
  /** Stands at the end of the label's line ('Surprise me'). */
  beside?: ReactNode;
}

/**
 * One line of text. Spread react-hook-form's `register('title')` into it. It takes whatever is typed, also too much:
 * there is no `maxLength` (contract 5).
 */
export function TextField({ end, beside, className, ...props }: TextFieldProps) {
  const { words, control } = fieldParts(props);
  return (
    <Field {...words} beside={beside} className={className}>
      {(tied) => {
        const input = <input type="text" {...control} {...tied} className={field.box} />;
        return end ? (
          <span className={css.with}>
            {input}
            <span className={cx(css.end)}>{end}</span>
          </span>
        ) : (
          input
        );
      }}
    </Field>
  );
}
