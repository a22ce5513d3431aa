import { Plus } from 'lucide-react';
import { useUser } from '../../auth/web/session/use-session.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import { setSearchParams, useSearchParam } from '../../base/web/navigation/search-params.ts';
import { loadOnDemand } from '../../base/web/net/load-on-demand.tsx';
import { useQueryFailure } from '../../base/web/queries/use-query-failure.ts';
import { DrawnTicket } from '../../kit/web/album/drawn-ticket.tsx';
import { EmptyState } from '../../kit/web/feedback/empty-state.tsx';
import { ErrorCard } from '../../kit/web/feedback/error-card.tsx';
import { TicketSkeletons } from '../../kit/web/feedback/skeleton.tsx';
import { useFlagNotice } from '../../kit/web/feedback/use-flag-notice.ts';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { SelectField } from '../../kit/web/forms/select-field.tsx';
import { Actions } from '../../kit/web/layout/actions.tsx';
import { CardList } from '../../kit/web/layout/card-list.tsx';
import { FloatingButton } from '../../kit/web/layout/floating-button.tsx';
import { FoundCount } from '../../kit/web/layout/found-count.tsx';
import { ListTools } from '../../kit/web/layout/list-tools.tsx';
import { Masthead } from '../../kit/web/layout/masthead.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { TabPanel, Tabs } from '../../kit/web/layout/tabs.tsx';
import { paths } from '../../paths.ts';
import type { PlannedDate } from '../contract.ts';
import {
  DATE_SORTS,
  DATE_TABS,
  type DateSort,
  type DateTab,
  dateSummary,
  datesOfTab,
  noDatesText,
  tabsWithCounts,
} from '../list-rules.ts';
import { actionsOf } from '../shown-actions.ts';
import { DATE_CARD_HEIGHT, DateCard } from './date-card.tsx';
import { useDates } from './queries.ts';
import { useDateActions } from './use-date-actions.ts';
import { LazyWentMessage } from './went/lazy-went-message.tsx';

/** Loaded after the list's own request has started. */
const OutboxList = loadOnDemand(() =>
  import('../../kit/web/feedback/outbox-list.tsx').then((module) => module.OutboxList),
);

/** The calls about dates that may wait on this device. */
const KEPT_CALLS = [
  'POST /api/PlannedDates',
  'POST /api/PlannedDates/past',
  'PUT /api/PlannedDates/{id}/record',
] as const;

const TAB_VALUES = DATE_TABS.map(({ value }) => value);
const SORT_VALUES = DATE_SORTS.map(({ value }) => value);

/** `/planned-dates`: the couple's dates as tickets, filtered by status. */
export default function DatesPage() {
  useFlagNotice('updated', 'Our date is updated.');
  const [tab, setTab] = useSearchParam('filter', TAB_VALUES, 'all');
  const [sort, setSort] = useSearchParam('sort', SORT_VALUES, 'date-asc');
  const query = useDates();
  const failure = useQueryFailure(query);
  const loading = query.data === undefined && failure === null;
  return (
    <Page busy={loading}>
      <Masthead
        title="Our Dates"
        actions={
          <Actions>
            <ButtonLink variant="primary" icon={<Plus />} className="desk-only" href={paths.ideas}>
              Plan New Date
            </ButtonLink>
            <ButtonLink variant="text" href={paths.pastDate}>
              Add a Past Date
            </ButtonLink>
          </Actions>
        }
      />
      <OutboxList owner={useUser().id} names={KEPT_CALLS} />
      {loading && <TicketSkeletons message="Loading dates..." />}
      {query.data === undefined && failure && (
        <ErrorCard onRetry={failure.retry}>Failed to load dates. Please try again.</ErrorCard>
      )}
      {query.data && <Dates dates={query.data} tab={tab} onTab={setTab} sort={sort} onSort={setSort} />}
      <FloatingButton label="Plan New Date" href={paths.ideas} />
    </Page>
  );
}

interface DatesProps {
  readonly dates: readonly PlannedDate[];
  readonly tab: DateTab;
  readonly onTab: (tab: DateTab) => void;
  readonly sort: DateSort;
  readonly onSort: (sort: DateSort) => void;
}

function Dates({ dates, tab, onTab, sort, onSort }: DatesProps) {
  const now = useNow();
  const zone = deviceZone();
  const { act, pendingActionOf } = useDateActions('list');
  const tabs = tabsWithCounts(dates, now, zone);
  const shown = datesOfTab(dates, { tab, sort }, now, zone);
  return (
    <>
      <LazyWentMessage isOffered={shown.some((date) => actionsOf(date, 'list', now, zone).includes('went'))} />
      <ListTools>
        <Tabs label="Filter" tabs={tabs} value={tab} onChange={onTab} panel="dates" />
        <SelectField label="Sort" value={sort} onChange={(event) => onSort(event.target.value as DateSort)}>
          {DATE_SORTS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <FoundCount>{dateSummary(shown.length)}</FoundCount>
      </ListTools>
      <TabPanel id="dates" tab={tab}>
        {shown.length === 0 ? (
          <NoDates tab={tab} />
        ) : (
          <CardList items={shown} label="Our dates" estimatedHeight={DATE_CARD_HEIGHT}>
            {(date) => <DateCard date={date} onAction={act} pendingAction={pendingActionOf(date)} />}
          </CardList>
        )}
      </TabPanel>
    </>
  );
}

function NoDates({ tab }: { tab: DateTab }) {
  return (
    <EmptyState
      drawing={<DrawnTicket />}
      actions={
        <>
          <ButtonLink variant="primary" href={paths.ideas}>
            Plan Our First Date
          </ButtonLink>
          <ButtonLink href={paths.pastDate}>Add a Past Date</ButtonLink>
          {tab !== 'all' && <Button onClick={() => setSearchParams({ filter: null })}>Show All Dates</Button>}
        </>
      }
    >
      {noDatesText(tab)}
    </EmptyState>
  );
}
