import type { PlannedDate } from '../../dates/contract.ts';
import { DrawnTicket } from '../../kit/web/album/drawn-ticket.tsx';
import { EmptyState } from '../../kit/web/feedback/empty-state.tsx';
import { UnsavedWords } from '../../kit/web/feedback/unsaved-words.tsx';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { paths } from '../../paths.ts';
import type { NoteField } from './use-note.ts';

const ENDED: Readonly<Record<Exclude<PlannedDate['status'], 'InProgress'>, string>> = {
  Planned: 'This date has not begun yet.',
  Completed: 'Our date has ended. It is in our album now.',
  Cancelled: 'This date was cancelled.',
};

/** A date that is not in progress, or no longer, and what we typed and could not save before it ended. */
export function NotRunning({ date, note }: { date: PlannedDate; note: NoteField }) {
  const isKept = note.state === 'refused' || note.state === 'waiting' || note.state === 'tooLong';
  return (
    <Page>
      <EmptyState
        level={1}
        title={date.dateIdea.title}
        drawing={<DrawnTicket />}
        actions={
          <ButtonLink variant="primary" href={paths.date(date.id)}>
            View Details
          </ButtonLink>
        }
      >
        {date.status === 'InProgress' ? '' : ENDED[date.status]}
      </EmptyState>
      {isKept && (
        <UnsavedWords words={note.text} onDiscard={note.discard}>
          The date ended before they were saved. They are still on this device.
        </UnsavedWords>
      )}
    </Page>
  );
}
