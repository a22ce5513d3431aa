import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { StubDay } from '../../../base/date-formats.ts';
import { CoupleText } from '../couple-text.tsx';
import { cx } from '../cx.ts';
import { Marked } from '../marked.tsx';
import { Stamp } from './stamp.tsx';
import css from './ticket.module.css';

/** The state of a ticket. Any other state is shown as an intact gray ticket. */
export type TicketState = 'upcoming' | 'today' | 'overdue' | 'in-progress' | 'completed' | 'cancelled';

export interface TicketProps {
  state: TicketState | (string & {});
  /** The state in words: 'Upcoming', 'Today!'. */
  stateLabel: string;
  /** The stub: 'Fri', '4', 'Dec', '2026'. Hidden from screen readers, because the facts give the full date. */
  day: StubDay;
  title: string;
  /** The link of the title, or of the whole ticket with `asLink`. */
  href?: string | undefined;
  asLink?: boolean;
  level?: 1 | 2 | 3;
  /** The time-until text: '13 days to go'. Hidden if empty. */
  until?: ReactNode;
  /** A CategoryLabel. */
  category?: ReactNode;
  /** Date, time and duration, place, memories: one per line, the first one emphasized. */
  facts?: readonly ReactNode[];
  notes?: string | null | undefined;
  /** The main buttons. */
  actions?: ReactNode;
  /** Text buttons for rare actions: Edit, Cancel Date, Delete. */
  rare?: ReactNode;
  large?: boolean;
  /** Plays the tearing or stamping animation on mount. A later change of state always plays it. */
  fresh?: boolean;
}

/** A planned date as an `article`, or as one link with `asLink`. */
export function Ticket(props: TicketProps) {
  const { state, stateLabel, day, href, asLink, large } = props;
  const [seen, setSeen] = useState(state);
  const [hasChanged, setChanged] = useState(false);
  if (seen !== state) {
    setSeen(state);
    setChanged(true);
  }
  const fresh = props.fresh || hasChanged;
  const look = {
    className: cx(css.ticket, large && css.large, fresh && css.fresh),
    'data-hue': state,
  };
  const paper = (
    <div className={css.paper}>
      {state === 'completed' ? (
        <Stamp label={stateLabel} top={day.monthAndDay} bottom={day.year} fresh={fresh} className={css.stamp} />
      ) : (
        <div className={css.stub}>
          <span className={css.state}>{stateLabel}</span>
          <span className={css.day} aria-hidden="true">
            {day.weekday}
            <b>{day.day}</b>
            {day.month}
          </span>
        </div>
      )}
      <TicketBody {...props} />
    </div>
  );
  return href !== undefined && asLink ? (
    <Link href={href} {...look}>
      {paper}
    </Link>
  ) : (
    <article {...look}>{paper}</article>
  );
}

function TicketBody({
  until,
  category,
  title,
  href,
  asLink,
  level = 2,
  facts,
  notes,
  actions,
  rare,
  large,
}: TicketProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={cx(css.body, large && 'framed')}>
      {(until || category) && (
        <p className={css.top}>
          {until && <span className={cx(css.until, 'num')}>{until}</span>}
          {category && <span className={css.category}>{category}</span>}
        </p>
      )}
      <Heading className={css.title}>
        {href !== undefined && !asLink ? (
          <Link href={href}>
            <Marked>{title}</Marked>
          </Link>
        ) : (
          <Marked>{title}</Marked>
        )}
      </Heading>
      {facts && facts.length > 0 && (
        <ul className={cx(css.facts, 'num')}>
          {facts.map((fact, index) => (
            <li key={index}>{fact}</li>
          ))}
        </ul>
      )}
      {notes && <p className={cx(css.notes, 'clamp')}>{asLink ? notes : <CoupleText>{notes}</CoupleText>}</p>}
      {(actions || rare) && (
        <div className={css.actions}>
          {actions}
          {rare && <div className={css.rare}>{rare}</div>}
        </div>
      )}
    </div>
  );
}
