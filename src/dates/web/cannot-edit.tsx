import { ButtonLink } from '../../base/web/ui/button.tsx';
import { EmptyState } from '../../base/web/ui/empty-state.tsx';
import { Page } from '../../base/web/ui/page.tsx';
import { paths } from '../../paths.ts';
import type { PlannedDate } from '../contract.ts';
import css from './cannot-edit.module.css';
import { DateTicket } from './date-ticket.tsx';

/** The refusal of a completed date (spec 2, Edit planned date); the ticket itself stands for the drawing. */
export function CannotEdit({ date }: { date: PlannedDate }) {
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
            <ButtonLink href={paths.dates}>Back to Our Dates</ButtonLink>
          </>
        }
      >
        This date cannot be edited because it has been completed.
      </EmptyState>
    </Page>
  );
}
