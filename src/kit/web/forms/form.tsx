import { type ComponentProps, createContext, type ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './form.module.css';

/** Whether the form is being sent. Its controls can't be changed then (see `useLockWhileSending`): what is entered now would be lost. */
export const Sending = createContext(false);

export interface FormProps extends ComponentProps<'form'> {
  /** The form is being sent. */
  sending?: boolean;
}

/** A form with its parts stacked. `noValidate` disables the browser's own messages, because we show ours. */
export function Form({ className, sending = false, ...rest }: FormProps) {
  return (
    <Sending value={sending}>
      <form noValidate {...rest} className={cx(css.form, className)} />
    </Sending>
  );
}

/** Stacked fields. `pair` puts two side by side if there is room. */
export function Fields({ children, pair }: { children: ReactNode; pair?: boolean }) {
  return <div className={cx(css.fields, pair && css.pair)}>{children}</div>;
}
