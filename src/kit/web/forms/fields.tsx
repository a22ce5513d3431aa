import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './fields.module.css';

/** A form with its parts stacked. `noValidate` disables the browser's own messages, because we show ours. */
export function Form({ className, ...rest }: ComponentProps<'form'>) {
  return <form noValidate {...rest} className={cx(css.form, className)} />;
}

/** Stacked fields. `pair` puts two side by side if there is room. */
export function Fields({ children, pair }: { children: ReactNode; pair?: boolean }) {
  return <div className={cx(css.fields, pair && css.pair)}>{children}</div>;
}
