import { deviceZone } from '../../base/web/device/device-zone.ts';
import { CategoryTab } from '../../ideas/web/category-tab.tsx';
import { IndexCard } from '../../kit/web/album/index-card.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import type { PlannedDate } from '../contract.ts';
import { lastPlannedDateText, plannedTimesText } from '../detail-texts.ts';

/** The idea that a date was planned from. */
export function IdeaOfDate({ date }: { date: PlannedDate }) {
  const { title, category, description, plannedDatesCount, lastPlannedDate } = date.dateIdea;
  const last = lastPlannedDateText(lastPlannedDate, deviceZone());
  if (category === null) return null;
  return (
    <Section title="Date idea">
      <IndexCard
        hue={category}
        tab={<CategoryTab category={category} />}
        title={title}
        level={3}
        text={description}
        foot={[plannedTimesText(plannedDatesCount), last].filter((part) => part !== null).join(' · ')}
        fullText
      />
    </Section>
  );
}
