import { useParams } from 'wouter';
import { isOffline } from '../../../auth/web/session/session.ts';
import { Async } from '../../../base/web/net/async.tsx';
import { EmptyState, ErrorCard } from '../../../kit/web/feedback/empty-state.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { ButtonLink } from '../../../kit/web/forms/button.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';
import { paths } from '../../../paths.ts';
import { useYear } from '../queries.ts';
import { Story } from './story.tsx';

const BACK = <ButtonLink href={paths.stats}>Back to Our Story</ButtonLink>;

/** The story of a year, `/stats/{year}`. */
export default function YearPage() {
  const { year } = useParams<{ year: string }>();
  return (
    <Async
      query={useYear(year)}
      loading={
        <Page busy>
          <Loading message="Looking through our year..." size="large" />
        </Page>
      }
      error={({ status }, retry) => <Page>{errorOf(status, retry)}</Page>}
    >
      {(story) => <Story key={story.year} year={story} />}
    </Async>
  );
}

function errorOf(status: number, retry: () => void) {
  if (status === 404) {
    return (
      <EmptyState level={1} title="A year still to be written" actions={BACK}>
        There is no completed date in it.
      </EmptyState>
    );
  }
  if (status === 0 && isOffline()) {
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
