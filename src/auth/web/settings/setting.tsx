import { type ReactNode, useId } from 'react';
import css from './setting.module.css';

/** One matter of the settings: its name in the margin, what belongs to it beside it. */
export function Setting({ name, words, children }: { name: string; words: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={css.setting} aria-labelledby={id}>
      <div className={css.name}>
        <h2 id={id}>{name}</h2>
        <p className="aside">{words}</p>
      </div>
      <div className={css.body}>{children}</div>
    </section>
  );
}

/** Ruled lines, one to a thing; its children are `Line`. */
export function Lines({ children }: { children: ReactNode }) {
  return <ul className={css.lines}>{children}</ul>;
}

export interface LineProps {
  icon?: ReactNode;
  /** What it is. */
  title: ReactNode;
  /** The title is felt: set in the serif's italics. */
  felt?: boolean;
  /** A quiet line under it. */
  meta?: ReactNode;
  /** The id of title and meta, by which a button beside them can say what it is about. */
  id?: string;
  /** Text buttons. */
  actions?: ReactNode;
}

/** A device, a partner, something deleted: its words, and what can be done with it. */
export function Line({ icon, title, felt, meta, id, actions }: LineProps) {
  return (
    <li>
      {icon}
      <p className={css.words} id={id}>
        {felt ? <span className={css.felt}>{title}</span> : title}
        {meta && <small className="num">{meta}</small>}
      </p>
      {actions && <div className={css.actions}>{actions}</div>}
    </li>
  );
}
