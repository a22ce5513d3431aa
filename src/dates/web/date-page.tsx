import type { ComponentType } from 'react';
import { useLocation, useParams } from 'wouter';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import { isNotFound } from '../../base/web/net/not-found.ts';
import { isReachable } from '../../base/web/net/reachable.ts';
import { QueryContent } from '../../base/web/queries/query-content.tsx';
import { useQueryFailure } from '../../base/web/queries/use-query-failure.ts';
import { DrawnTicket } from '../../kit/web/album/drawn-ticket.tsx';
import { CoupleText } from '../../kit/web/couple-text.tsx';
import { EmptyState } from '../../kit/web/feedback/empty-state.tsx';
import { FailedPage } from '../../kit/web/feedback/failed-page.tsx';
import { TicketSkeletons } from '../../kit/web/feedback/skeleton.tsx';
import { useFlagNotice } from '../../kit/web/feedback/use-flag-notice.ts';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { Actions } from '../../kit/web/layout/actions.tsx';
import { BackLink } from '../../kit/web/layout/back-link.tsx';
import { Leaf } from '../../kit/web/layout/leaf.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { Spread } from '../../kit/web/layout/spread.tsx';
import { TextLink } from '../../kit/web/layout/text-link.tsx';
import { paths } from '../../paths.ts';
import type { PlannedDate } from '../contract.ts';
import { isHidden } from '../is-hidden.ts';
import { actionsOf } from '../shown-actions.ts';
import { ActionButton, isPrimaryAction } from './action-button.tsx';
import { BACK_TO_DATES } from './date-form-page.tsx';
import { DateTicket } from './date-ticket.tsx';
import { IdeaOfDate } from './idea-of-date.tsx';
import { LookBackSwitch } from './look-back-switch.tsx';
import { useMemoryFeatures } from './memory-features.ts';
import { useDate } from './queries.ts';
import { HiddenDetails } from './surprise/hidden-details.tsx';
import { useDateActions } from './use-date-actions.ts';
import { LazyWentMessage } from './went/lazy-went-message.tsx';
import { WhenAndWhere } from './when-and-where.tsx';

export interface DatePageProps {
  /** The slot that the notes slice fills. It decides for which dates it shows anything. */
  readonly Notes: ComponentType<{ date: PlannedDate }>;
  /** The slot for what was written into a note of a date that is deleted. */
  readonly WordsOfDeletedDate: ComponentType<{ dateId: string }>;
}

/** `/planned-dates/{id}`: the details of a date (dates.details.1). */
export default function DatePage({ Notes, WordsOfDeletedDate }: DatePageProps) {
  const id = useParams<{ id: string }>().id.trim();
  const completed = useFlagNotice('completed', 'Completed! One more date to remember.');
  const query = useDate(id);
  const failure = useQueryFailure(query);
  if (id === '') return <FailedPage back={BACK_TO_DATES}>No date ID provided.</FailedPage>;
  const loading = (
    <Page busy>
      <TicketSkeletons message="Loading date details..." count={1} />
    </Page>
  );
  // A deleted date is not shown from the cache, also while it is fetched again.
  if (isNotFound(failure?.error) || isNotFound(query.error)) {
    if (failure === null) return loading;
    return (
      <FailedPage back={BACK_TO_DATES} onRetry={failure.retry} more={<WordsOfDeletedDate dateId={id} />}>
        Date not found.
      </FailedPage>
    );
  }
  return (
    <QueryContent
      query={query}
      loading={loading}
      error={({ isUnanswered }, retry) =>
        isUnanswered && !isReachable() ? (
          <NotSeenYet />
        ) : (
          <FailedPage back={BACK_TO_DATES} onRetry={retry}>
            Failed to load date details. Please try again.
          </FailedPage>
        )
      }
    >
      {({ entity }) =>
        isHidden(entity) ? (
          <HiddenDetails date={entity} />
        ) : (
          <DateDetails date={entity} completed={completed} Notes={Notes} />
        )
      }
    </QueryContent>
  );
}

/** Shown offline for a date that was never opened here. It loads by itself when the connection is back. */
function NotSeenYet() {
  return (
    <Page>
      <EmptyState
        drawing={<DrawnTicket />}
        title="Not saved on this device"
        level={1}
        actions={<ButtonLink href={paths.dates}>Back to Our Dates</ButtonLink>}
      >
        We haven’t opened this date here before. It will load when we are online again.
      </EmptyState>
    </Page>
  );
}

/** Of a completed date, the photographs come first, then what was written, then the facts (dates.details.9). */
function DateDetails({
  date,
  completed,
  Notes,
}: Pick<DatePageProps, 'Notes'> & { date: PlannedDate; completed: boolean }) {
  const slots = useMemoryFeatures();
  const canAdd = actionsOf(date, 'details', useNow(), deviceZone()).includes('addMemories');
  const isOver = date.status === 'Completed';
  const specialNotes = date.notes && (
    <Section title="Special notes">
      <p className="felt written">
        <CoupleText>{date.notes}</CoupleText>
      </p>
    </Section>
  );
  const photographs = (
    <Leaf key="photographs" part="second">
      {slots && <slots.Memories date={date} canAdd={canAdd} />}
      {isOver && specialNotes}
    </Leaf>
  );
  const notes = <Notes key="notes" date={date} />;
  const facts = (
    <Leaf key="facts" part="third">
      <DetailsActions date={date} />
      <WhenAndWhere date={date} />
      {!isOver && specialNotes}
      <IdeaOfDate date={date} />
      {isOver && <LookBackSwitch date={date} />}
      {isOver && <TextLink href={paths.printDate(date.id)}>Print</TextLink>}
    </Leaf>
  );
  return (
    <Spread parts>
      <Leaf key="ticket" part="first">
        <div>
          <BackLink href={paths.dates}>Back to Our Dates</BackLink>
          <DateTicket date={date} level={1} large bare untilOnlyAhead fresh={completed} />
        </div>
      </Leaf>
      {isOver ? [photographs, notes, facts] : [facts, photographs, notes]}
    </Spread>
  );
}

/** The buttons for the display status on the details page. */
function DetailsActions({ date }: { date: PlannedDate }) {
  const [, navigate] = useLocation();
  const { act, pendingActionOf } = useDateActions('details', () => navigate(paths.dates));
  const actions = actionsOf(date, 'details', useNow(), deviceZone());
  return (
    <section aria-label="Actions">
      <LazyWentMessage isOffered={actions.includes('went')} />
      <Actions>
        {actions.map((action, index) => (
          <ActionButton
            key={action}
            action={action}
            date={date}
            onAction={act}
            pendingAction={pendingActionOf(date)}
            variant={isPrimaryAction(action) ? (index === 0 ? 'primary' : 'secondary') : 'text'}
          />
        ))}
      </Actions>
    </section>
  );
}
