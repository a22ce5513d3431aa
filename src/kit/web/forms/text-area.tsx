import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';
import field from './field.module.css';
import { Field, type FieldWords, fieldParts } from './field.tsx';
import css from './text-area.module.css';

export interface TextAreaProps extends FieldWords, Omit<ComponentProps<'textarea'>, 'maxLength'> {
  /** In the serif, slanted: for captions, which are felt. */
  felt?: boolean;
  /** Stands at the end of the label's line. */
  beside?: ReactNode;
}

/** Several lines of text, growing with them where the browser can. Nothing typed is cut off (contract 5). */
export function TextArea({ felt, beside, className, rows = 4, ...props }: TextAreaProps) {
  const { words, control } = fieldParts(props);
  return (
    <Field {...words} beside={beside} className={className}>
      {(tied) => (
        <textarea
          {...control}
          {...tied}
          rows={rows}
          style={{ '--rows': rows }}
          className={cx(field.box, css.box, felt && css.felt)}
        />
      )}
    </Field>
  );
}
