import { Plus } from 'lucide-react';
import { loadOnDemand } from '../../base/web/net/load-on-demand.tsx';
import { useQueryFailure } from '../../base/web/queries/use-query-failure.ts';
import { DrawnIndexCard } from '../../kit/web/album/drawn-index-card.tsx';
import { EmptyState } from '../../kit/web/feedback/empty-state.tsx';
import { ErrorCard } from '../../kit/web/feedback/error-card.tsx';
import { IndexCardSkeletons } from '../../kit/web/feedback/skeleton.tsx';
import { useFlagNotice } from '../../kit/web/feedback/use-flag-notice.ts';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { CardList } from '../../kit/web/layout/card-list.tsx';
import { FloatingButton } from '../../kit/web/layout/floating-button.tsx';
import { Masthead } from '../../kit/web/layout/masthead.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { paths } from '../../paths.ts';
import type { DateIdea } from '../contract.ts';
import { mutualIdeas } from '../hearts.ts';
import { hasFilters, inactiveCount, noIdeasText, visibleIdeas } from '../list-rules.ts';
import { HeartTools } from './heart-tools.tsx';
import { IDEA_CARD_HEIGHT, IdeaCard } from './idea-card.tsx';
import { IdeaTools } from './idea-tools.tsx';
import { useActiveIdeas, useAllIdeas } from './queries.ts';
import { useHearts } from './use-hearts.ts';
import { useIdeaDeletion } from './use-idea-deletion.ts';
import { useIdeaFilter } from './use-idea-filter.ts';
import { usePick } from './use-pick.ts';

/** Loaded after the list's own request has started. */
const QueuedIdeas = loadOnDemand(() => import('./queued-ideas.tsx').then((module) => module.QueuedIdeas));

/** `/date-ideas`: the couple's ideas as cards, with search, filters, sorting and hearts (ideas.list.1). */
export default function IdeasPage() {
  useFlagNotice('updated', 'Our idea is updated.');
  const { filter, change, clear } = useIdeaFilter();
  const active = useActiveIdeas();
  const failure = useQueryFailure(active);
  const all = useAllIdeas(active.isSuccess);
  const deletion = useIdeaDeletion();
  const hearts = useHearts();
  const { pick, isPicking, drawn, close } = usePick();
  const inactive = inactiveCount(all.data ?? []);
  const both = mutualIdeas((active.data ?? []).map(hearts.withPressed)).length;
  const ideas = (filter.showInactive ? all.data : undefined) ?? active.data;
  const isFiltered = filter.both && both > 0;
  const shown = ideas && visibleIdeas(ideas.map(hearts.withPressed), { ...filter, both: isFiltered });
  const loading = shown === undefined && failure === null;
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
      <IdeaTools filter={filter} onChange={change} inactive={inactive} found={shown?.length}>
        {active.data?.length !== 0 && (
          <HeartTools
            count={both}
            isOn={filter.both}
            onChange={(isOn) => change({ both: isOn })}
            onPick={pick}
            isPicking={isPicking}
            disabled={loading}
          />
        )}
      </IdeaTools>
      <QueuedIdeas />
      {loading && <IndexCardSkeletons message="Loading date ideas..." />}
      {shown === undefined && failure && (
        <ErrorCard onRetry={failure.retry}>Failed to load date ideas. Please try again.</ErrorCard>
      )}
      {shown?.length === 0 && (
        <EmptyState
          drawing={<DrawnIndexCard />}
          actions={<EmptyActions narrowed={hasFilters(filter)} onClear={clear} />}
        >
          {noIdeasText(filter)}
        </EmptyState>
      )}
      {shown && shown.length > 0 && (
        <CardList items={shown} label="Date ideas" estimatedHeight={IDEA_CARD_HEIGHT} three>
          {(idea: DateIdea) => (
            <IdeaCard
              idea={idea}
              onDelete={deletion.ask}
              deleting={deletion.deletingId === idea.id}
              onHeart={isFiltered ? hearts.takeBack : hearts.toggle}
            />
          )}
        </CardList>
      )}
      {active.data?.length !== 0 && <p className="aside">Nobody sees your heart until you have both put one.</p>}
      <FloatingButton label="Add New Idea" {...add} />
      {drawn && <drawn.Card first={drawn.idea} onClose={close} />}
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
