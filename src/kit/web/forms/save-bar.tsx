import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../cx.ts';
import { usePageMark } from '../layout/use-page-mark.ts';
import { keepFieldVisible } from './keep-field-visible.ts';
import css from './save-bar.module.css';

export interface SaveBarProps {
  /** The main action: full width on a phone, first in tab order. */
  main: ReactNode;
  /** Secondary actions beside it, such as 'Cancel'. */
  children?: ReactNode;
  /** An action at the far end ('Clear'). */
  apart?: ReactNode;
  /** A note above the actions ('Choose which date these are from'). */
  note?: ReactNode;
  /** Sticks to the bottom on wide screens too, for a long form (the upload). */
  always?: boolean;
}

/** The actions of a form, stuck to the bottom of the screen. Put it last in the form. */
export function SaveBar({ main, children, apart, note, always }: SaveBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  usePageMark('save-bar');
  usePageMark('wide-save-bar', always === true);
  useEffect(
    () =>
      keepFieldVisible(() => {
        const { current } = bar;
        const isFixed = current !== null && getComputedStyle(current).position === 'fixed';
        return isFixed ? current.getBoundingClientRect().top : null;
      }),
    [],
  );
  return (
    <div ref={bar} className={cx(css.bar, always && css.always)} data-ui="save-bar">
      <span className={css.main}>{main}</span>
      {children}
      {apart && <span className={css.apart}>{apart}</span>}
      {note && <div className={css.note}>{note}</div>}
    </div>
  );
}
