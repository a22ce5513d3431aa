import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';
import field from './field.module.css';
import { Field, type FieldTexts, fieldParts } from './field.tsx';
import css from './text-area.module.css';

export interface TextAreaProps extends FieldTexts, Omit<ComponentProps<'textarea'>, 'maxLength'> {
  /** Sets the text in serif italics, for captions. */
  italic?: boolean;
  /** Shown at the end of the label's line. */
  beside?: ReactNode;
}

/** A multi-line text field that grows with its content if the browser can. It never truncates input. */
export function TextArea({ italic, beside, className, rows = 4, ...props }: TextAreaProps) {
  const { texts, control } = fieldParts(props);
  return (
    <Field {...texts} beside={beside} className={className}>
      {(tied) => (
        <textarea
          {...control}
          {...tied}
          dir="auto"
          rows={rows}
          style={{ '--rows': rows }}
          className={cx(field.box, css.box, italic && css.italic)}
        />
      )}
    </Field>
  );
}
