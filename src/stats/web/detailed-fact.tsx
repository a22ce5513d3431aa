import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '../../paths.ts';
import css from './chart.module.css';
import type { StatsScreen } from './queries.ts';

/** The value of a fact, with a detail in small print. */
export function detailedFact(main: string, detail: ReactNode): ReactNode {
  return (
    <>
      {main}
      <small>{detail}</small>
    </>
  );
}

/** The title of the date that holds a record, which leads to its details. */
export function DateLink({ date }: { date: NonNullable<StatsScreen['records']['longestDate']> }) {
  return (
    <Link href={paths.date(date.plannedDateId)} className={css.record}>
      {date.title}
    </Link>
  );
}
