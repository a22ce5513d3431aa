import { useUser } from '../../auth/web/session/use-session.ts';
import { longDate, monthName } from '../../base/date-formats.ts';
import { longDuration } from '../../base/durations.ts';
import { plural } from '../../base/number-texts.ts';
import { Facts } from '../../kit/web/layout/facts.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { DateLink } from './date-link.tsx';
import { detailedFact } from './detailed-fact.tsx';
import type { StatsScreen } from './queries.ts';

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
            value:
              firstDate && began && detailedFact(longDate(Date.parse(began), timeZone), <DateLink date={firstDate} />),
          },
          {
            label: 'Shortest date',
            value:
              shortestDate && detailedFact(longDuration(shortestDate.value ?? 0), <DateLink date={shortestDate} />),
          },
          {
            label: 'Most memories',
            value:
              mostMemories &&
              detailedFact(plural(mostMemories.value ?? 0, 'memory', 'memories'), <DateLink date={mostMemories} />),
          },
          {
            label: 'Busiest month',
            value: busiestMonth && detailedFact(monthName(busiestMonth.month), plural(busiestMonth.dates, 'date')),
          },
        ]}
      />
    </Section>
  );
}
