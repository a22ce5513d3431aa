import { loadOnDemand } from '../../../base/web/net/load-on-demand.tsx';
import DatePage, { type DatePageProps } from '../../../dates/web/date-page.tsx';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { MemoryFeaturesForDates } from './memory-features-for-dates.tsx';

/** The date renders while the code of its notes loads. */
const Notes: DatePageProps['Notes'] = loadOnDemand(
  () => import('../../../notes/web/two-notes.tsx').then((module) => module.TwoNotes),
  {
    failed: (_, retry) => (
      <ErrorCard title={null} level={3} onRetry={retry}>
        Failed to load our notes. Please try again.
      </ErrorCard>
    ),
  },
);

/** Hardly ever needed. */
const WordsOfDeletedDate: DatePageProps['WordsOfDeletedDate'] = loadOnDemand(() =>
  import('../../../notes/web/words-of-deleted-date.tsx').then((module) => module.WordsOfDeletedDate),
);

/** The page of a date, with its memories and its two notes. */
export default function DateScreen() {
  return (
    <MemoryFeaturesForDates>
      <DatePage Notes={Notes} WordsOfDeletedDate={WordsOfDeletedDate} />
    </MemoryFeaturesForDates>
  );
}
