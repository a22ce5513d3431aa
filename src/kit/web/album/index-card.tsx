import type { ReactNode } from 'react';
import { CoupleText } from '../couple-text.tsx';
import { cx } from '../cx.ts';
import { Marked } from '../marked.tsx';
import css from './index-card.module.css';

export interface IndexCardProps {
  hue?: string | undefined;
  /** The content of the tab: the category's icon and name. */
  tab: ReactNode;
  title: ReactNode;
  /** The id of the heading, to refer to it. */
  titleId?: string;
  /** A line above the title. */
  over?: ReactNode;
  /** A small control beside the title: the heart. */
  corner?: ReactNode;
  /** A mark below the title; the rule under it is sewn then. */
  mark?: ReactNode;
  level?: 1 | 2 | 3;
  /** Badges beside the tab: New, Popular. */
  badges?: ReactNode;
  /** The description, cut after five lines unless `fullText`. */
  text?: ReactNode;
  /** A secondary line: 'Last planned 2 weeks ago'. */
  foot?: ReactNode;
  actions?: ReactNode;
  /** Text buttons: Edit, Delete. */
  rare?: ReactNode;
  inactive?: boolean;
  /** Shows the full text without empty ruled lines, on the plan form and the details. */
  fullText?: boolean;
}

/** Shown instead of an empty description. */
const NO_DESCRIPTION = 'No description provided';

/** A date idea: an `article`. */
export function IndexCard(props: IndexCardProps) {
  const { hue = 'Unknown', tab, title, titleId, level = 2, over, corner, mark, badges } = props;
  const { text, foot, actions, rare, inactive, fullText } = props;
  const Heading = `h${level}` as const;
  return (
    <article className={cx(css.card, inactive && css.inactive, fullText && css.fullText)} data-hue={hue}>
      <div className={css.top}>
        <span className={css.tab}>{tab}</span>
        {badges && <span className={css.badges}>{badges}</span>}
      </div>
      <div className={css.sheet}>
        <header className={cx(css.head, corner ? css.cornered : null, mark ? css.sewn : null)}>
          {over && <p className={css.over}>{over}</p>}
          <Heading className={css.title} id={titleId}>
            {typeof title === 'string' ? <Marked>{title}</Marked> : title}
          </Heading>
          {corner}
          {mark}
        </header>
        <div className={cx(css.text, !text && css.none)}>
          {typeof text === 'string' || !text ? (
            <p className={cx(css.words, 'clamp')}>
              {typeof text === 'string' && text !== '' ? <CoupleText>{text}</CoupleText> : NO_DESCRIPTION}
            </p>
          ) : (
            text
          )}
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
