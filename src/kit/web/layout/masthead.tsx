import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import { BackLink } from './back-link.tsx';
import css from './masthead.module.css';

export interface MastheadProps {
  /** The page's one h1. */
  title: ReactNode;
  subtitle?: ReactNode;
  /** The large buttons. One that a FloatingButton replaces has the class `desk-only`. */
  actions?: ReactNode;
  /** A back link above the title. */
  back?: { href: string; label: string } | undefined;
}

/** The head of a page. */
export function Masthead({ title, subtitle, actions, back }: MastheadProps) {
  return (
    <header className={css.masthead}>
      {back && (
        <div className={css.back}>
          <BackLink href={back.href}>{back.label}</BackLink>
        </div>
      )}
      <div className={css.words}>
        <h1 className="title">{title}</h1>
        {subtitle && <p className={cx('felt', css.sub)}>{subtitle}</p>}
      </div>
      {actions}
    </header>
  );
}
