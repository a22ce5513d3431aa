import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import { plural } from '../../base/text.ts';
import { longDate, longDuration, monthName } from '../../base/time.ts';
import { Facts } from '../../kit/web/layout/facts.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { paths } from '../../paths.ts';
import { nextMilestoneText } from '../milestones.ts';
import { datesText } from '../rules.ts';
import css from './chart.module.css';
import type { StatsScreen } from './queries.ts';

type Holder = StatsScreen['records']['longestDate'];

/** 'Fun Facts'. */
export function FunFacts({ favorite, records, milestones }: Pick<StatsScreen, 'favorite' | 'records' | 'milestones'>) {
  const { longestDate } = records;
  return (
    <Section title="Fun Facts">
      <Facts
        ruled
        items={[
          {
            label: 'Favorite date type',
            value: favorite ? fact(favorite.categoryName, datesText(favorite.completedCount)) : 'Still to be found',
          },
          {
            label: 'Longest date',
            value: longestDate ? fact(longDuration(longestDate.value ?? 0), link(longestDate)) : '0 hours',
          },
          { label: 'Days since first date', value: 'Forever counting ∞' },
          { label: 'Next milestone', value: nextMilestoneText(milestones) },
        ]}
      />
    </Section>
  );
}

/** 'Our Records'; nothing while there are none. */
export function Records({ records, began }: Pick<StatsScreen, 'records' | 'began'>) {
  const { timeZone } = useUser().couple;
  const { shortestDate, mostMemories, firstDate, busiestMonth } = records;
  if (!shortestDate && !mostMemories && !firstDate && !busiestMonth) return null;
  return (
    <Section title="Our Records">
      <Facts
        ruled
        items={[
          {
            label: 'First date',
            value: firstDate && began && fact(longDate(Date.parse(began), timeZone), link(firstDate)),
          },
          {
            label: 'Shortest date',
            value: shortestDate && fact(longDuration(shortestDate.value ?? 0), link(shortestDate)),
          },
          {
            label: 'Most memories',
            value: mostMemories && fact(plural(mostMemories.value ?? 0, 'memory', 'memories'), link(mostMemories)),
          },
          {
            label: 'Busiest month',
            value: busiestMonth && fact(monthName(busiestMonth.month), plural(busiestMonth.dates, 'date')),
          },
        ]}
      />
    </Section>
  );
}

function fact(main: string, detail: ReactNode): ReactNode {
  return (
    <>
      {main}
      <small>{detail}</small>
    </>
  );
}

function link({ plannedDateId, title }: NonNullable<Holder>): ReactNode {
  return (
    <Link href={paths.date(plannedDateId)} className={css.record}>
      {title}
    </Link>
  );
}
