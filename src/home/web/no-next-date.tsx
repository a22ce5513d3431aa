import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import { DrawnTicket } from '../../kit/web/album/drawn-ticket.tsx';
import { paths } from '../../paths.ts';
import { FirstSteps } from './first-steps.tsx';
import css from './next-section.module.css';

/** What the section of the next date shows without one: a link to add an idea, and the first steps. */
export function NoNextDate() {
  return (
    <>
      <Link href={paths.addIdea} className={css.none}>
        <DrawnTicket />
        <span className={css.words}>No upcoming dates planned yet!</span>
        <span className={css.go}>
          Add an idea <ArrowRight />
        </span>
      </Link>
      <FirstSteps />
    </>
  );
}
