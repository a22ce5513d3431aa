import { EmptyState } from '../../kit/web/feedback/empty-state.tsx';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { paths } from '../../paths.ts';
import type { PlannedDate } from '../contract.ts';
import css from './completed-date-not-editable.module.css';
import { DateTicket } from './date-ticket.tsx';

/** The page that says a completed date can't be edited (dates.edit.3), with its ticket as the drawing. */
export function CompletedDateNotEditable({ date }: { date: PlannedDate }) {
  return (
    <Page>
      <EmptyState
        role="alert"
        level={1}
        title="Cannot Edit This Date"
        drawing={
          <div className={css.ticket}>
            <DateTicket date={date} brief />
          </div>
        }
        actions={
          <>
            <ButtonLink variant="primary" href={paths.date(date.id)}>
              View Details
            </ButtonLink>
            <ButtonLink href={paths.recordDate(date.id)}>Correct What Happened</ButtonLink>
            <ButtonLink href={paths.dates}>Back to Our Dates</ButtonLink>
          </>
        }
      >
        This date cannot be edited because it has been completed.
      </EmptyState>
    </Page>
  );
}
