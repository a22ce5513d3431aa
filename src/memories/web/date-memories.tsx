import { Plus } from 'lucide-react';
import { mediumDate, monthAndDay } from '../../base/date-formats.ts';
import { zoned } from '../../base/instants.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useQueryFailure } from '../../base/web/queries/use-query-failure.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { DrawnPrints } from '../../kit/web/album/drawn-prints.tsx';
import { Print } from '../../kit/web/album/print.tsx';
import { PrintRows } from '../../kit/web/album/print-rows.tsx';
import { EmptyState } from '../../kit/web/feedback/empty-state.tsx';
import { ErrorCard } from '../../kit/web/feedback/error-card.tsx';
import { PrintSkeletons } from '../../kit/web/feedback/skeleton.tsx';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { paths } from '../../paths.ts';
import type { Memory } from '../contract.ts';
import { verbWithCaption } from '../gallery-texts.ts';
import { blurOf } from './blur.ts';
import { FIRST_OF_DATE, useFirstMemories } from './queries.ts';

export interface DateMemoriesProps {
  readonly date: PlannedDate;
  /** Whether photos can be added: the date is in progress or completed. */
  readonly canAdd: boolean;
}

/** The first six memories of a date on its details page, with a link to all (dates.details.4). */
export function DateMemories({ date, canAdd }: DateMemoriesProps) {
  const { id, memoryCount } = date;
  const query = useFirstMemories(id);
  const failure = useQueryFailure(query);
  const count = query.data?.total ?? memoryCount;
  const all = count > FIRST_OF_DATE;
  return (
    <Section
      title="Memories"
      aside={count > 0 && String(count)}
      link={all ? { href: paths.memoriesOf(id), label: 'View All' } : undefined}
    >
      {!query.data && !failure && memoryCount > 0 && (
        <PrintSkeletons message="Loading our memories..." count={Math.min(memoryCount, FIRST_OF_DATE)} />
      )}
      {!query.data && failure && (
        <ErrorCard title={null} level={3} onRetry={failure.retry}>
          Failed to load memories. Please try again.
        </ErrorCard>
      )}
      {count === 0 && (
        <EmptyState
          drawing={<DrawnPrints />}
          actions={
            canAdd && (
              <ButtonLink icon={<Plus />} href={paths.uploadTo(id)}>
                Add First Memory
              </ButtonLink>
            )
          }
        >
          No memories captured yet!
        </EmptyState>
      )}
      {query.data && count > 0 && (
        <PrintRows small label="Memories of this date">
          {query.data.memories.map((memory) => (
            <Thumbnail key={memory.id} memory={memory} date={date} />
          ))}
        </PrintRows>
      )}
    </Section>
  );
}

/** A thumbnail that opens the slideshow. Its day has a year only if that isn't the date's, which the page shows above. */
function Thumbnail({ memory, date }: { memory: Memory; date: PlannedDate }) {
  const { id, caption, happenedAt } = memory;
  const zone = deviceZone();
  const at = Date.parse(happenedAt);
  const isSameYear = zoned(at, zone).year === zoned(Date.parse(date.plannedDateTime), zone).year;
  return (
    <Print
      as="li"
      src={memory.thumbnailUrl}
      width={memory.width}
      height={memory.height}
      blur={() => blurOf(memory.thumbHash)}
      caption={caption}
      meta={(isSameYear ? monthAndDay : mediumDate)(at, zone)}
      view={{ label: verbWithCaption('View', caption), href: paths.memory(id) }}
    />
  );
}
