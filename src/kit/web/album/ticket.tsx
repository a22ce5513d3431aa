import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { cx, morphing } from '../cx.ts';
import { Stamp } from './stamp.tsx';
import css from './ticket.module.css';

/** What has happened to a ticket. Anything else is a whole ticket on grey stock. */
export type TicketState = 'upcoming' | 'today' | 'overdue' | 'in-progress' | 'completed' | 'cancelled';

export interface TicketProps {
  state: TicketState | (string & {});
  /** The state in words: 'Upcoming', 'Today!'. */
  stateLabel: string;
  /** For the stub: 'Fri', '4', 'Dec', '2026'. Not read out; the facts carry the date in full. */
  day: { weekday: string; day: string; month: string; year: string };
  title: string;
  /** Where the title leads. With `whole`, the ticket itself is the link. */
  href?: string | undefined;
  whole?: boolean;
  level?: 1 | 2 | 3;
  /** The time-until text: '13 days to go'. Nothing stands where it is empty. */
  until?: string | undefined;
  /** A CategoryLabel. */
  category?: ReactNode;
  /** Date, time and duration, place, memories: one to a line, the first in full ink. */
  facts?: readonly ReactNode[];
  notes?: string | null | undefined;
  /** The buttons that stand open on it. */
  actions?: ReactNode;
  /** Text buttons for what is rare: Edit, Cancel Date, Delete. */
  rare?: ReactNode;
  large?: boolean;
  /** Its name in view transitions, so that the list's ticket grows into that of the details: one to a page. */
  morph?: string | undefined;
  /** Its state is new to whoever looks: it is torn or stamped before their eyes. A change while it is shown does so by itself. */
  fresh?: boolean;
}

/** A planned date: an `article`, or one link where it is `whole`. */
export function Ticket(props: TicketProps) {
  const { state, stateLabel, day, href, whole, large } = props;
  const [seen, setSeen] = useState(state);
  const [changed, setChanged] = useState(false);
  if (seen !== state) {
    setSeen(state);
    setChanged(true);
  }
  const fresh = props.fresh || changed;
  const look = {
    className: cx(css.ticket, large && css.large, fresh && css.fresh),
    'data-hue': state,
    style: morphing(props.morph),
  };
  const paper = (
    <div className={css.paper}>
      {state === 'completed' ? (
        <Stamp
          label={stateLabel}
          top={`${day.month} ${day.day}`}
          bottom={day.year}
          fresh={fresh}
          className={css.stamp}
        />
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
  return href !== undefined && whole ? (
    <Link href={href} {...look}>
      {paper}
    </Link>
  ) : (
    <article {...look}>{paper}</article>
  );
}

function TicketBody({ until, category, title, href, whole, level = 2, facts, notes, actions, rare }: TicketProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={css.body}>
      {(until || category) && (
        <p className={css.top}>
          {until && <span className={cx(css.until, 'num')}>{until}</span>}
          {category && <span className={css.category}>{category}</span>}
        </p>
      )}
      <Heading className={css.title}>{href !== undefined && !whole ? <Link href={href}>{title}</Link> : title}</Heading>
      {facts && facts.length > 0 && (
        <ul className={cx(css.facts, 'num')}>
          {facts.map((fact, index) => (
            <li key={index}>{fact}</li>
          ))}
        </ul>
      )}
      {notes && <p className={css.notes}>{notes}</p>}
      {(actions || rare) && (
        <div className={css.actions}>
          {actions}
          {rare && <div className={css.rare}>{rare}</div>}
        </div>
      )}
    </div>
  );
}
