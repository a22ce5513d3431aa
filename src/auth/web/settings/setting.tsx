import { type ReactNode, useId } from 'react';
import css from './setting.module.css';

/** One section of the settings: its name in the margin, and its content beside it. */
export function Setting({ name, subtitle, children }: { name: string; subtitle: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={css.setting} aria-labelledby={id}>
      <div className={css.name}>
        <h2 id={id}>{name}</h2>
        <p className="aside">{subtitle}</p>
      </div>
      <div className={css.body}>{children}</div>
    </section>
  );
}
