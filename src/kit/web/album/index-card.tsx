import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './index-card.module.css';

export interface IndexCardProps {
  hue?: string | undefined;
  /** The content of the tab: the category's icon and name. */
  tab: ReactNode;
  title: ReactNode;
  level?: 1 | 2 | 3;
  /** Badges beside the tab: New, Popular. */
  badges?: ReactNode;
  /** The description, cut after five lines unless `fullText`. */
  text?: ReactNode;
  /** Shown instead of an empty text: 'No description provided'. */
  none?: string;
  /** A secondary line: 'Last planned 2 weeks ago'. */
  foot?: ReactNode;
  actions?: ReactNode;
  /** Text buttons: Edit, Delete. */
  rare?: ReactNode;
  inactive?: boolean;
  /** Shows the full text without empty ruled lines, on the plan form and the details. */
  fullText?: boolean;
}

/** A date idea: an `article`. */
export function IndexCard(props: IndexCardProps) {
  const { hue = 'Unknown', tab, title, level = 2, badges, text, none, foot, actions, rare, inactive, fullText } = props;
  const Heading = `h${level}` as const;
  return (
    <article className={cx(css.card, inactive && css.inactive, fullText && css.fullText)} data-hue={hue}>
      <div className={css.top}>
        <span className={css.tab}>{tab}</span>
        {badges && <span className={css.badges}>{badges}</span>}
      </div>
      <div className={css.sheet}>
        <header className={css.head}>
          <Heading className={css.title}>{title}</Heading>
        </header>
        <div className={cx(css.text, !text && css.none)}>
          {typeof text === 'string' || !text ? <p className={css.words}>{text || none}</p> : text}
        </div>
        {foot && <p className={cx(css.foot, 'num')}>{foot}</p>}
        {(actions || rare) && (
          <div className={css.actions}>
            {actions}
            {rare && <span className={css.rare}>{rare}</span>}
          </div>
        )}
      </div>
    </article>
  );
}
