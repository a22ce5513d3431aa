import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './save-bar.module.css';

export interface SaveBarProps {
  /** The main action: wide on a phone, first in the order of the keyboard. */
  main: ReactNode;
  /** 'Cancel' and the like, beside it. */
  children?: ReactNode;
  /** What stands apart at the far end ('Clear'). */
  apart?: ReactNode;
  /** A line above ('Choose which date these are from'). */
  note?: ReactNode;
  /** Stay at the bottom on the desk too, where the form is long (the upload). */
  always?: boolean;
}

/** The actions of a form, always in reach. Put it last in the form. */
export function SaveBar({ main, children, apart, note, always }: SaveBarProps) {
  return (
    <div className={cx(css.bar, always && css.always)} data-ui="save-bar" data-always={always}>
      <span className={css.main}>{main}</span>
      {children}
      {apart && <span className={css.apart}>{apart}</span>}
      {note && <div className={css.note}>{note}</div>}
    </div>
  );
}
