import { Link } from 'wouter';
import { paths } from '../../paths.ts';
import css from './chart.module.css';
import type { StatsScreen } from './queries.ts';

/** The title of the date that holds a record, which leads to its details. */
export function DateLink({ date }: { date: NonNullable<StatsScreen['records']['longestDate']> }) {
  return (
    <Link href={paths.date(date.plannedDateId)} className={css.record}>
      {date.title}
    </Link>
  );
}
