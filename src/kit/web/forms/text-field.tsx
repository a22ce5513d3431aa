import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';
import field from './field.module.css';
import { Field, type FieldTexts, fieldParts } from './field.tsx';
import css from './text-field.module.css';

export interface TextFieldProps extends FieldTexts, Omit<ComponentProps<'input'>, 'maxLength'> {
  /** Shown at the end of the box ('Show'). */
  end?: ReactNode;
  /** Shown at the end of the label's line ('Surprise me'). */
  beside?: ReactNode;
}

/**
 * A single-line text field. Spread react-hook-form's `register('title')` into it. It accepts text of any length and has
 * no `maxLength`.
 */
export function TextField({ end, beside, className, ...props }: TextFieldProps) {
  const { texts, control } = fieldParts(props);
  return (
    <Field {...texts} beside={beside} className={className}>
      {(tied) => {
        const input = <input type="text" dir="auto" {...control} {...tied} className={field.box} />;
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
