import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useAlive } from '../../../base/web/alive.tsx';
import { cx } from '../cx.ts';
import css from './field.module.css';

/** What every field says besides its value. */
export interface FieldWords {
  /** The accessible name, alone: nothing else may stand in it (contract 5, How controls are built). */
  label: string;
  hint?: ReactNode;
  /** What is wrong; while it stands the field is `aria-invalid`. */
  error?: string | undefined;
  /** As the spec writes it for this form: 'n / 200' or 'n/200'. */
  counter?: string | undefined;
  /** The counter has passed its limit. */
  over?: boolean | undefined;
  /** Says 'optional' beside the label. */
  optional?: boolean | undefined;
}

/** What the control itself must carry, handed to `children`. */
export interface FieldControl {
  id: string | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  disabled?: true;
}

export interface FieldProps extends FieldWords {
  /** The control's id; made up where none is given. */
  id?: string | undefined;
  /** Ids of further descriptions. */
  describedBy?: string | undefined;
  /** What kind of field it is, for the row of tools it may stand in. */
  kind?: 'field' | 'search' | undefined;
  /** A word to press at the end of the label's line ('Surprise me'). */
  beside?: ReactNode;
  className?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

/**
 * A label, a control and what is said about it. Hint, counter and error are tied to the control by `aria-describedby`;
 * the name is the label alone (contract 5).
 */
export function Field(props: FieldProps) {
  const { label, hint, error, counter, over, optional, beside, kind = 'field', className, children } = props;
  const madeUp = useId();
  const alive = useAlive();
  const id = props.id ?? madeUp;
  const told = {
    optional: optional && `${id}-optional`,
    hint: hint ? `${id}-hint` : undefined,
    counter: counter && `${id}-counter`,
    error: error && `${id}-error`,
  };
  return (
    <div className={cx(css.field, className)} data-ui={kind}>
      <span className={cx(css.line, beside ? css.shared : undefined)}>
        <span>
          <label htmlFor={id}>{label}</label>
          {told.optional && (
            <>
              {' '}
              <span className={css.optional} id={told.optional}>
                optional
              </span>
            </>
          )}
        </span>
        {beside}
      </span>
      {children({
        // Nothing is read from, and typed into, what would not hear it: it has its name when it can be used.
        id: alive ? id : undefined,
        'aria-describedby': cx(told.optional, told.hint, told.error, told.counter, props.describedBy),
        'aria-invalid': error ? true : undefined,
        ...(alive ? {} : { disabled: true }),
      })}
      {error && (
        <p className={css.error} id={told.error}>
          <CircleAlert />
          <span>{error}</span>
        </p>
      )}
      {(hint || counter) && (
        <p className={css.foot}>
          {hint && <span id={told.hint}>{hint}</span>}
          {counter && (
            <span className={cx(css.counter, 'num', over && css.over)} id={told.counter}>
              {counter}
            </span>
          )}
        </p>
      )}
    </div>
  );
}

/** Splits a control's props into what the Field says and what the control itself takes. */
export function fieldParts<P extends FieldWords & { id?: string | undefined; 'aria-describedby'?: string | undefined }>(
  props: P,
) {
  const { label, hint, error, counter, over, optional, id, 'aria-describedby': describedBy, ...control } = props;
  return { words: { label, hint, error, counter, over, optional, id, describedBy }, control };
}
