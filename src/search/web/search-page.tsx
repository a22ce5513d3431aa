import { useEffect, useMemo, useRef, useState } from 'react';
import { useUser } from '../../auth/web/session/use-session.ts';
import { cleanText, textLength } from '../../base/clean-text.ts';
import { plural } from '../../base/number-texts.ts';
import { searchWords } from '../../base/search-text.ts';
import { useSearchText } from '../../base/web/navigation/search-params.ts';
import { useQueryFailure } from '../../base/web/queries/use-query-failure.ts';
import { DrawnIndexCard } from '../../kit/web/album/drawn-index-card.tsx';
import { EmptyState } from '../../kit/web/feedback/empty-state.tsx';
import { ErrorCard } from '../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../kit/web/feedback/loading.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { SearchField } from '../../kit/web/forms/search-field.tsx';
import { FoundCount } from '../../kit/web/layout/found-count.tsx';
import { ListTools } from '../../kit/web/layout/list-tools.tsx';
import { Masthead } from '../../kit/web/layout/masthead.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { MarkingProvider } from '../../kit/web/marked.tsx';
import { splitMarks } from '../marks.ts';
import { searchLimits } from '../rules.ts';
import { type FoundHere, useFound } from './queries.ts';
import { Results } from './results.tsx';
import css from './search.module.css';

/** How many characters begin a search. */
const MIN_LENGTH = 2;

/** `/search`: finds ideas, dates and memories as one types, the words marked (search.5). */
export default function SearchPage() {
  const { id: owner } = useUser();
  const [text, setText] = useSearchText('q');
  const term = cleanText(text);
  const [limit, setLimit] = useState<{ term: string; limit: number }>({ term, limit: searchLimits.default });
  if (limit.term !== term) setLimit({ term, limit: searchLimits.default });
  const length = textLength(term);
  const isAsked = length >= MIN_LENGTH && length <= searchLimits.query;
  const query = useFound(owner, isAsked ? term : null, limit.limit);
  const failure = useQueryFailure(query);
  const found = isAsked ? query.data : undefined;
  const field = useFocusOnArrival(text === '');
  return (
    <Page busy={isAsked && found === undefined && failure === null}>
      <Masthead title="Search" />
      <ListTools>
        <SearchField
          ref={field}
          label="Search our story"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <FoundCount>
          {length > searchLimits.query && `Please use at most ${searchLimits.query} characters.`}
          {found && summaryOf(found)}
        </FoundCount>
      </ListTools>
      {isAsked && found === undefined && failure === null && <Loading message="Searching our story..." />}
      {isAsked && found === undefined && failure && (
        <ErrorCard onRetry={failure.retry}>Failed to search our story. Please try again.</ErrorCard>
      )}
      {found?.isLastSeen && (
        <p className={css.lastSeen}>We can’t reach our album now: this is what was last seen on this device.</p>
      )}
      {found && totalOf(found) === 0 && (
        <EmptyState drawing={<DrawnIndexCard />}>
          No matches for &quot;<bdi>{term}</bdi>&quot;.
        </EmptyState>
      )}
      {found && totalOf(found) > 0 && (
        <MarkedResults found={found} term={term} onMore={() => setLimit({ term, limit: searchLimits.max })} />
      )}
    </Page>
  );
}

function totalOf({ counts }: FoundHere): number {
  return counts.ideas + counts.plannedDates + counts.memories;
}

/** For screen readers: the sections have their numbers beside their headings. */
function summaryOf({ counts }: FoundHere) {
  const parts = [
    plural(counts.ideas, 'idea'),
    plural(counts.plannedDates, 'date'),
    plural(counts.memories, 'memory', 'memories'),
  ];
  return `${parts.join(', ')} found`;
}

function MarkedResults({ found, term, onMore }: { found: FoundHere; term: string; onMore: () => void }) {
  const words = useMemo(() => searchWords(term), [term]);
  const mark = useMemo(() => {
    return (text: string) =>
      splitMarks(text, words).map(({ text: piece, isMarked }, n) =>
        isMarked ? (
          <mark key={n} className={css.mark}>
            {piece}
          </mark>
        ) : (
          piece
        ),
      );
  }, [words]);
  const shown = Math.max(found.ideas.length, found.plannedDates.length, found.memories.length);
  const hasMore = Object.values(found.counts).some((count) => count > shown);
  return (
    <MarkingProvider value={mark}>
      <Results found={found} words={words} />
      {hasMore && (
        <div className={css.more}>
          {shown < searchLimits.max ? (
            <Button onClick={onMore}>Show more</Button>
          ) : (
            <p role="status">Add a word to narrow it down</p>
          )}
        </div>
      )}
    </MarkingProvider>
  );
}

/** Focuses the field of an empty search. */
function useFocusOnArrival(isEmpty: boolean) {
  const field = useRef<HTMLInputElement>(null);
  const [focuses] = useState(isEmpty);
  useEffect(() => {
    // After the arrival, which focuses the heading.
    if (focuses) queueMicrotask(() => field.current?.focus());
  }, [focuses]);
  return field;
}
