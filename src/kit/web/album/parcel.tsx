import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from '../cx.ts';
import { Bow } from './bow.tsx';
import css from './parcel.module.css';
import ticket from './ticket.module.css';
import type { TicketProps } from './ticket.tsx';

export interface ParcelProps extends Pick<TicketProps, 'state' | 'stateLabel' | 'day' | 'href' | 'asLink' | 'large'> {
  /** 0 for a paragraph instead of a heading. */
  level?: 0 | 1 | 2 | 3;
  /** '7:30 PM', on the stub. */
  time: string;
  /** 'Thursday, December 3, 2026', for screen readers: the stub shows it in parts. */
  date: string;
  /** 'A surprise from Elias.' */
  title: string;
  /** 'Keep this evening free.' */
  hush: string;
  /** A link below the words. */
  children?: ReactNode;
}

/**
 * A ticket wrapped in kraft paper, with one cord and one bow: every parcel looks the same, whatever is in it. With
 * `asLink` all of it is a link to `href`; otherwise `href` has no effect.
 */
export function Parcel({ state, stateLabel, day, time, date, href, asLink, large, ...body }: ParcelProps) {
  const look = { className: cx(ticket.ticket, large && cx(ticket.large, css.large)), 'data-hue': state };
  const paper = (
    <div className={ticket.paper}>
      <div className={ticket.stub}>
        <span className={ticket.state}>{stateLabel}</span>
        <span className="visually-hidden">{date}</span>
        <span className={ticket.day} aria-hidden="true">
          {day.weekday}
          <b>{day.day}</b>
          {day.month}
        </span>
        <span className={cx(css.time, 'num')}>{time}</span>
      </div>
      <ParcelBody {...body} />
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

export interface ParcelBodyProps extends Pick<ParcelProps, 'level' | 'title' | 'hush' | 'children'> {
  /** A further class of the wrapped part. */
  className?: string | undefined;
}

/** The wrapped part of a parcel. */
export function ParcelBody({ level = 2, title, hush, children, className }: ParcelBodyProps) {
  const Heading = level === 0 ? 'p' : (`h${level}` as const);
  return (
    <div className={cx(css.body, className)}>
      <Bow className={css.bow} />
      <Heading className={cx(ticket.title, css.title)}>{title}</Heading>
      <p className={css.hush}>{hush}</p>
      {children}
    </div>
  );
}
