import type { ReactNode } from 'react';
import css from './setting.module.css';

/** A list with ruled lines. Its children are `RuledLine`s. */
export function RuledList({ children }: { children: ReactNode }) {
  return <ul className={css.lines}>{children}</ul>;
}

export interface RuledLineProps {
  icon?: ReactNode;
  /** The main text. */
  title: ReactNode;
  /** Sets the title in serif italics. */
  italic?: boolean;
  /** A secondary line under the title. */
  meta?: ReactNode;
  /** The id of title and meta, for the `aria-describedby` of a button beside them. */
  id?: string;
  /** Text buttons. */
  actions?: ReactNode;
}

/** One item of `RuledList`, such as a device or a deleted entry: its text and its actions. */
export function RuledLine({ icon, title, italic, meta, id, actions }: RuledLineProps) {
  return (
    <li>
      {icon}
      <p className={css.words} id={id}>
        {italic ? <span className={css.italic}>{title}</span> : title}
        {meta && <small className="num">{meta}</small>}
      </p>
      {actions && <div className={css.actions}>{actions}</div>}
    </li>
  );
}
