import { Plus } from 'lucide-react';
import { onDemand } from '../../base/web/async.tsx';
import { DrawnCard } from '../../kit/web/album/drawings.tsx';
import { EmptyState, ErrorCard } from '../../kit/web/feedback/empty-state.tsx';
import { useFlagNotice } from '../../kit/web/feedback/flag-notice.ts';
import { IndexCardSkeletons } from '../../kit/web/feedback/skeleton.tsx';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { CardList } from '../../kit/web/layout/card-list.tsx';
import { FloatingButton } from '../../kit/web/layout/floating-button.tsx';
import { Masthead } from '../../kit/web/layout/masthead.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { paths } from '../../paths.ts';
import type { DateIdea } from '../contract.ts';
import { hasFilters, inactiveCount, noIdeasText, visibleIdeas } from '../list-rules.ts';
import { IdeaCard } from './idea-card.tsx';
import { IdeaTools, useIdeaFilter } from './idea-tools.tsx';
import { useActiveIdeas, useAllIdeas } from './queries.ts';
import { useIdeaDeletion } from './use-idea-deletion.ts';

/** Loaded after the list's own request has started. */
const QueuedIdeas = onDemand(async () => (await import('./queued-ideas.tsx')).QueuedIdeas);

/** `/date-ideas`: the couple's ideas as cards, with search, filters and sorting (spec 2, Date ideas list). */
export default function IdeasPage() {
  useFlagNotice('updated', 'Our idea is updated.');
  const { filter, change, clear } = useIdeaFilter();
  const active = useActiveIdeas();
  const all = useAllIdeas(active.isSuccess);
  const deletion = useIdeaDeletion();
  const inactive = inactiveCount(all.data ?? []);
  const ideas = (filter.showInactive ? all.data : undefined) ?? active.data;
  const shown = ideas && visibleIdeas(ideas, filter);
  const loading = shown === undefined && active.isFetching;
  const add = { href: paths.addIdea, disabled: loading };
  return (
    <Page busy={loading}>
      <Masthead
        title="Date Ideas"
        actions={
          <ButtonLink variant="primary" icon={<Plus />} className="desk-only" {...add}>
            Add New Idea
          </ButtonLink>
        }
      />
      <IdeaTools filter={filter} onChange={change} inactive={inactive} found={shown?.length} />
      <QueuedIdeas />
      {loading && <IndexCardSkeletons message="Loading date ideas..." />}
      {!loading && shown === undefined && (
        <ErrorCard onRetry={() => void active.refetch()}>Failed to load date ideas. Please try again.</ErrorCard>
      )}
      {shown?.length === 0 && (
        <EmptyState drawing={<DrawnCard />} actions={<EmptyActions narrowed={hasFilters(filter)} onClear={clear} />}>
          {noIdeasText(filter)}
        </EmptyState>
      )}
      {shown && shown.length > 0 && (
        <CardList items={shown} label="Date ideas" guess={310} three>
          {(idea: DateIdea) => (
            <IdeaCard idea={idea} onDelete={deletion.ask} deleting={deletion.deletingId === idea.id} />
          )}
        </CardList>
      )}
      <FloatingButton label="Add New Idea" {...add} />
    </Page>
  );
}

function EmptyActions({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  return (
    <>
      <ButtonLink variant="primary" href={paths.addIdea}>
        Add Our First Idea
      </ButtonLink>
      {narrowed && <Button onClick={onClear}>Clear Filters</Button>}
    </>
  );
}
