import { CircleAlert } from 'lucide-react';
import { type ReactNode, use, useId } from 'react';
import { cx } from '../cx.ts';
import css from './field.module.css';
import { Sending } from './form.tsx';
import { LabelClass } from './label-class.ts';

/** The texts of a field. */
export interface FieldTexts {
  /** The accessible name. It must not contain anything else. */
  label: string;
  hint?: ReactNode;
  /** The error message. While it is set, the field is `aria-invalid`. */
  error?: string | undefined;
  /** The counter in the format of this form: 'n / 200' or 'n/200'. */
  counter?: string | undefined;
  /** The counter is over its limit. */
  over?: boolean | undefined;
  /** Shows 'optional' beside the label. */
  optional?: boolean | undefined;
}

/** The props for the control itself, passed to `children`. */
export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  /** Only there while the form is sent. */
  readOnly?: true;
}

export interface FieldProps extends FieldTexts {
  /** The control's id. Generated if absent. */
  id?: string | undefined;
  /** The ids of further descriptions. */
  describedBy?: string | undefined;
  /** The kind of field, for the layout of `ListTools`. */
  kind?: 'field' | 'search' | undefined;
  /** A text button at the end of the label's line ('Surprise me'). */
  beside?: ReactNode;
  className?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

/**
 * A label, its control, and the hint, counter and error. These are tied to the control by `aria-describedby`, so the
 * accessible name is only the label.
 */
export function Field(props: FieldProps) {
  const { label, hint, error, counter, over, optional, beside, kind = 'field', className, children } = props;
  const generatedId = useId();
  const isSending = use(Sending);
  const labelClass = use(LabelClass);
  const id = props.id ?? generatedId;
  const described = {
    optional: optional && `${id}-optional`,
    hint: hint ? `${id}-hint` : undefined,
    counter: counter && `${id}-counter`,
    error: error && `${id}-error`,
  };
  return (
    <div className={cx(css.field, className)} data-ui={kind}>
      <span className={cx(css.line, beside ? css.shared : undefined)}>
        <span>
          <label htmlFor={id} className={labelClass}>
            {label}
          </label>
          {described.optional && (
            <>
              {' '}
              <span className={css.optional} id={described.optional}>
                optional
              </span>
            </>
          )}
        </span>
        {beside}
      </span>
      {children({
        id,
        'aria-describedby': cx(
          described.optional,
          described.hint,
          described.error,
          described.counter,
          props.describedBy,
        ),
        'aria-invalid': error ? true : undefined,
        ...(isSending && { readOnly: true }),
      })}
      {error && (
        <p className={css.error} id={described.error}>
          <CircleAlert />
          <span>{error}</span>
        </p>
      )}
      {(hint || counter) && (
        <p className={css.foot}>
          {hint && <span id={described.hint}>{hint}</span>}
          {counter && (
            <span className={cx(css.counter, 'num', over && css.over)} id={described.counter}>
              {counter}
            </span>
          )}
        </p>
      )}
    </div>
  );
}

/** Splits a control's props into the `Field`'s texts and the control's own props. */
export function fieldParts<P extends FieldTexts & { id?: string | undefined; 'aria-describedby'?: string | undefined }>(
  props: P,
) {
  const { label, hint, error, counter, over, optional, id, 'aria-describedby': describedBy, ...control } = props;
  return { texts: { label, hint, error, counter, over, optional, id, describedBy }, control };
}
