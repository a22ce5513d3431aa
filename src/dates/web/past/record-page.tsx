import { useLocation } from 'wouter';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { clock } from '../../../base/web/device/now.ts';
import { EmptyState } from '../../../kit/web/feedback/empty-state.tsx';
import { ButtonLink } from '../../../kit/web/forms/button.tsx';
import { SaveForm } from '../../../kit/web/forms/save-form.tsx';
import { StaleEdit } from '../../../kit/web/forms/stale-edit.tsx';
import { useVersionedEdit, type Versioned } from '../../../kit/web/forms/use-versioned-edit.ts';
import { Leaf } from '../../../kit/web/layout/leaf.tsx';
import { Masthead } from '../../../kit/web/layout/masthead.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';
import { Section } from '../../../kit/web/layout/section.tsx';
import { Spread } from '../../../kit/web/layout/spread.tsx';
import { paths } from '../../../paths.ts';
import type { PlannedDate } from '../../contract.ts';
import { correctionErrors, recordFormOf } from '../../correction-form.ts';
import { isAllowed, REFUSED } from '../../rules.ts';
import { DateFormPage } from '../date-form-page.tsx';
import { DateTicket } from '../date-ticket.tsx';
import { refusalOf } from '../explain-failure.ts';
import { useFreshDate } from '../queries.ts';
import { recordDifferences } from './record-differences.ts';
import { RecordFields } from './record-fields.tsx';
import { useSaveRecord } from './use-save-record.ts';

/** `/planned-dates/{id}/record`: corrects what a completed date says happened (dates.record.3). */
export default function RecordPage() {
  return (
    <DateFormPage>
      {(opened) =>
        isAllowed(opened.entity.status, 'correct') ? (
          <CorrectDate opened={opened} />
        ) : (
          <CannotCorrect date={opened.entity} />
        )
      }
    </DateFormPage>
  );
}

function CannotCorrect({ date }: { date: PlannedDate }) {
  return (
    <Page>
      <EmptyState
        role="alert"
        level={1}
        title="Cannot Correct This Date"
        actions={
          <>
            <ButtonLink variant="primary" href={paths.date(date.id)}>
              View Details
            </ButtonLink>
            <ButtonLink href={paths.dates}>Back to Our Dates</ButtonLink>
          </>
        }
      >
        {REFUSED.correct}
      </EmptyState>
    </Page>
  );
}

function CorrectDate({ opened }: { opened: Versioned<PlannedDate> }) {
  const edit = useCorrection(opened);
  const { base } = edit;
  return (
    <Spread>
      <Leaf>
        <Masthead title="Correct What Happened" back={{ href: paths.date(base.id), label: 'Back to the date' }} />
        <DateTicket date={base} large brief />
        <StaleEdit edit={edit} differences={(theirs) => recordDifferences(theirs, base, deviceZone())} />
      </Leaf>
      <Leaf>
        <Section title="What happened">
          <SaveForm
            label="What happened"
            state={edit}
            submit="Save Changes"
            cancel={<ButtonLink href={paths.date(base.id)}>Cancel</ButtonLink>}
          >
            <RecordFields form={edit.form} />
          </SaveForm>
        </Section>
      </Leaf>
    </Spread>
  );
}

function useCorrection(opened: Versioned<PlannedDate>) {
  const { id } = opened.entity;
  const zone = deviceZone();
  const [, navigate] = useLocation();
  return useVersionedEdit({
    opened,
    owner: useUser().id,
    isGuarded: true,
    formOf: (date) => recordFormOf(date, zone),
    faults: (form, base) => correctionErrors(form, base, clock(), zone),
    save: useSaveRecord(id),
    fetchNow: useFreshDate(id),
    explain: (error) => {
      if (error.status === 404) return 'Date not found.';
      return refusalOf(error) ?? 'Failed to correct date. Please try again.';
    },
    onSaved: () => navigate(paths.date(id)),
  });
}
