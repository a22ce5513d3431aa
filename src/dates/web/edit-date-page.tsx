import { useLocation } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import type { ApiError } from '../../base/web/net/api-error.ts';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { SaveForm } from '../../kit/web/forms/save-form.tsx';
import { StaleEdit } from '../../kit/web/forms/stale-edit.tsx';
import { useVersionedEdit, type Versioned } from '../../kit/web/forms/use-versioned-edit.ts';
import { Leaf } from '../../kit/web/layout/leaf.tsx';
import { Masthead } from '../../kit/web/layout/masthead.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { Spread } from '../../kit/web/layout/spread.tsx';
import { paths } from '../../paths.ts';
import type { PlannedDate } from '../contract.ts';
import { editDateBody, editDateErrors, editFormOf } from '../edit-date-form.ts';
import { isHidden, isOwnSecret } from '../is-hidden.ts';
import { editQuickFills } from '../quick-fills.ts';
import { isAllowed } from '../rules.ts';
import { keepSecretHint, tellHint } from '../surprise-texts.ts';
import { CompletedDateNotEditable } from './completed-date-not-editable.tsx';
import { dateDifferences } from './date-differences.ts';
import { DateFormPage } from './date-form-page.tsx';
import { DateTicket } from './date-ticket.tsx';
import { IdeaOfDate } from './idea-of-date.tsx';
import { PlanFields } from './plan-fields.tsx';
import { useFreshDate, useUpdateDate } from './queries.ts';
import { SurpriseRefusedPage } from './surprise/surprise-refused-page.tsx';

/** /planned-dates/{id}/edit. */
export default function EditDatePage() {
  return (
    <DateFormPage noId="No planned date ID provided" loading="Loading planned date..." failure={loadFailure}>
      {(opened) =>
        isHidden(opened.entity) ? (
          <SurpriseRefusedPage date={opened.entity} />
        ) : isAllowed(opened.entity.status, 'edit') ? (
          <EditDate opened={opened} />
        ) : (
          <CompletedDateNotEditable date={opened.entity} />
        )
      }
    </DateFormPage>
  );
}

function loadFailure({ status, serverMessage }: ApiError): string {
  if (status === 404) return 'Planned date not found';
  return serverMessage ?? 'Failed to load planned date details';
}

function EditDate({ opened }: { opened: Versioned<PlannedDate> }) {
  const now = useNow();
  const zone = deviceZone();
  const edit = useDateEdit(opened);
  const partner = useUser().partner?.displayName ?? null;
  return (
    <Spread>
      <Leaf>
        <Masthead title="Edit Date" back={{ href: paths.dates, label: 'Back to Our Dates' }} />
        <DateTicket date={edit.base} large brief />
        <StaleEdit edit={edit} differences={(theirs, base) => dateDifferences(theirs, base, zone)} />
        {edit.theirs === null && (
          <div className="desk-only">
            <IdeaOfDate date={edit.base} />
          </div>
        )}
      </Leaf>
      <Leaf>
        <Section title="When and where">
          <SaveForm
            label="When and where"
            state={edit}
            submit="Save Changes"
            cancel={<ButtonLink href={paths.dates}>Cancel</ButtonLink>}
          >
            <PlanFields
              form={edit.form}
              quickFills={editQuickFills(now, zone)}
              limit="max"
              between="/"
              surpriseHint={
                isOwnSecret(edit.base) ? (kept) => (kept ? keepSecretHint(partner) : tellHint(partner)) : undefined
              }
            />
          </SaveForm>
        </Section>
      </Leaf>
    </Spread>
  );
}

function useDateEdit(opened: Versioned<PlannedDate>) {
  const { id } = opened.entity;
  const zone = deviceZone();
  const [, navigate] = useLocation();
  const updateDate = useUpdateDate(id);
  return useVersionedEdit({
    opened,
    owner: useUser().id,
    formOf: (date) => editFormOf(date, zone),
    faults: (form) => editDateErrors(form, Date.now(), zone),
    save: (form, base, ifMatch) => updateDate({ body: editDateBody(form, base, zone), ifMatch }),
    fetchNow: useFreshDate(id),
    explain: ({ serverMessage }) => serverMessage ?? 'Failed to update planned date. Please try again.',
    onSaved: () => navigate(`${paths.dates}?updated=true`),
  });
}
