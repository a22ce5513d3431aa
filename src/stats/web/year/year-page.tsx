import { useParams } from 'wouter';
import type { ApiError } from '../../../base/web/net/api-error.ts';
import { isNotFound } from '../../../base/web/net/not-found.ts';
import { isReachable } from '../../../base/web/net/reachable.ts';
import { QueryContent } from '../../../base/web/queries/query-content.tsx';
import { EmptyState } from '../../../kit/web/feedback/empty-state.tsx';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { ButtonLink } from '../../../kit/web/forms/button.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';
import { paths } from '../../../paths.ts';
import { useYear } from '../queries.ts';
import { YearStory } from './year-story.tsx';

const BACK = <ButtonLink href={paths.stats}>Back to Our Story</ButtonLink>;

/** The story of a year, `/stats/{year}`. */
export default function YearPage() {
  const { year } = useParams<{ year: string }>();
  return (
    <QueryContent
      query={useYear(year)}
      loading={
        <Page busy>
          <Loading message="Looking through our year..." size="large" />
        </Page>
      }
      error={(error, retry) => <Page>{yearFailure(error, retry)}</Page>}
    >
      {(story) => <YearStory key={story.year} year={story} />}
    </QueryContent>
  );
}

function yearFailure(error: ApiError, retry: () => void) {
  if (isNotFound(error)) {
    return (
      <EmptyState level={1} title="A year still to be written" actions={BACK}>
        There is no completed date in it.
      </EmptyState>
    );
  }
  if (error.isUnanswered && !isReachable()) {
    return (
      <EmptyState level={1} title="Not seen yet" actions={BACK}>
        We can show this year here once you have opened it with a connection.
      </EmptyState>
    );
  }
  return (
    <ErrorCard level={1} onRetry={retry} actions={BACK}>
      Failed to load our year. Please try again.
    </ErrorCard>
  );
}
