import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './index-card.module.css';

export interface IndexCardProps {
  hue?: string | undefined;
  /** On the tab: the category's drawing and name. */
  tab: ReactNode;
  title: ReactNode;
  level?: 1 | 2 | 3;
  /** Badges beside the tab: New, Popular. */
  badges?: ReactNode;
  /** The description, on the ruled lines; five of them unless `whole`. */
  text?: ReactNode;
  /** Stands in the text's place where there is none: 'No description provided'. */
  none?: string;
  /** A quiet line: 'Last planned 2 weeks ago'. */
  foot?: ReactNode;
  actions?: ReactNode;
  /** Text buttons: Edit, Delete. */
  rare?: ReactNode;
  inactive?: boolean;
  /** The whole text, without blank lines: on the plan and the details. */
  whole?: boolean;
}

/** A date idea: an `article`. */
export function IndexCard(props: IndexCardProps) {
  const { hue = 'Unknown', tab, title, level = 2, badges, text, none, foot, actions, rare, inactive, whole } = props;
  const Heading = `h${level}` as const;
  return (
    <article className={cx(css.card, inactive && css.inactive, whole && css.whole)} data-hue={hue}>
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
