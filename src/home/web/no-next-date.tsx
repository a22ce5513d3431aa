import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import { useDates } from '../../dates/web/queries.ts';
import { DrawnTicket } from '../../kit/web/album/drawn-ticket.tsx';
import { LinksWithLeaders } from '../../kit/web/layout/links-with-leaders.tsx';
import { paths } from '../../paths.ts';
import css from './next-date-section.module.css';

const PAST = { href: paths.pastDate, label: 'Add a Past Date' };
const FIRST_STEPS = [
  { href: paths.ideas, label: 'Plan a date' },
  PAST,
  { href: paths.upload, label: 'Bring your photographs' },
];

/**
 * What the section of the next date shows without one: a link to add an idea, and the link to add a past date. A couple
 * without any date finds the first steps above it, which a phone shows without scrolling (home.dashboard.22).
 */
export function NoNextDate() {
  const { data, isPending } = useDates();
  // Until the dates are known, so that nothing moves then.
  if (isPending) return <div className={css.room} />;
  return (
    <>
      {data?.length === 0 && <LinksWithLeaders links={FIRST_STEPS} />}
      <Link href={paths.addIdea} className={css.none}>
        <DrawnTicket />
        <span className={css.words}>No upcoming dates planned yet!</span>
        <span className={css.go}>
          Add an idea <ArrowRight />
        </span>
      </Link>
      {data && data.length > 0 && <LinksWithLeaders links={[PAST]} />}
    </>
  );
}
