import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './fields.module.css';

/** A form: its parts one under the other. The browser's own bubbles stay away (`noValidate`): our messages speak. */
export function Form({ className, ...rest }: ComponentProps<'form'>) {
  return <form noValidate {...rest} className={cx(css.form, className)} />;
}

/** Fields one under the other; `pair` puts two side by side where there is room. */
export function Fields({ children, pair }: { children: ReactNode; pair?: boolean }) {
  return <div className={cx(css.fields, pair && css.pair)}>{children}</div>;
}
