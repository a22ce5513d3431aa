import { longDuration } from '../../base/durations.ts';
import { Facts } from '../../kit/web/layout/facts.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { nextMilestoneText } from '../milestones.ts';
import { datesText } from '../total-texts.ts';
import { DateLink } from './date-link.tsx';
import { detailedFact } from './detailed-fact.tsx';
import type { StatsScreen } from './queries.ts';

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
            value: favorite
              ? detailedFact(favorite.categoryName, datesText(favorite.completedCount))
              : 'Still to be found',
          },
          {
            label: 'Longest date',
            value: longestDate
              ? detailedFact(longDuration(longestDate.value ?? 0), <DateLink date={longestDate} />)
              : '0 hours',
          },
          { label: 'Days since first date', value: 'Forever counting ∞' },
          { label: 'Next milestone', value: nextMilestoneText(milestones) },
        ]}
      />
    </Section>
  );
}
