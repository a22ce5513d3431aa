import { useFormState } from 'react-hook-form';
import { useLocation } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import type { ApiError } from '../../base/web/net/api-error.ts';
import { Banner } from '../../kit/web/feedback/banner.tsx';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { Form } from '../../kit/web/forms/fields.tsx';
import { SaveBar } from '../../kit/web/forms/save-bar.tsx';
import { StaleEdit } from '../../kit/web/forms/stale-edit.tsx';
import { useVersionedEdit, type Versioned } from '../../kit/web/forms/versioned-edit.ts';
import { Masthead } from '../../kit/web/layout/masthead.tsx';
import { Leaf, Spread } from '../../kit/web/layout/page.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { paths } from '../../paths.ts';
import type { PlannedDate } from '../contract.ts';
import { editDateBody, editDateErrors, editFormOf } from '../form-rules.ts';
import { editQuickFills } from '../quick-fills.ts';
import { isAllowed } from '../rules.ts';
import { isHidden, isOwnSecret, keepSecretHint, tellHint } from '../surprise-texts.ts';
import { CompletedDateNotice } from './completed-date-notice.tsx';
import { dateDifferences } from './date-differences.ts';
import { IdeaOfDate } from './date-facts.tsx';
import { DateTicket } from './date-ticket.tsx';
import { OpenedDate } from './opened-date.tsx';
import { PlanFields } from './plan-fields.tsx';
import { useFreshDate, useUpdateDate } from './queries.ts';
import { SurpriseRefusedPage } from './surprise/surprise-refused-page.tsx';

/** /planned-dates/{id}/edit. */
export default function EditDatePage() {
  return (
    <OpenedDate noId="No planned date ID provided" loading="Loading planned date..." failure={loadFailure}>
      {(opened) =>
        isHidden(opened.entity) ? (
          <SurpriseRefusedPage date={opened.entity} />
        ) : isAllowed(opened.entity.status, 'edit') ? (
          <EditDate opened={opened} />
        ) : (
          <CompletedDateNotice date={opened.entity} />
        )
      }
    </OpenedDate>
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
  const { isValid } = useFormState({ control: edit.form.control });
  return (
    <Spread>
      <Leaf>
        <Masthead title="Edit Date" back={{ href: paths.dates, label: 'Back to Our Dates' }} />
        <DateTicket date={edit.base} large brief />
        {edit.theirs ? (
          <StaleEdit
            theirs={dateDifferences(edit.theirs, edit.base, zone)}
            busy={edit.isSending}
            onOverwrite={edit.overwrite}
            onTakeTheirs={edit.takeTheirs}
          />
        ) : (
          <div className="desk-only">
            <IdeaOfDate date={edit.base} />
          </div>
        )}
      </Leaf>
      <Leaf>
        <Section title="When and where">
          <Form {...edit.formProps} aria-label="When and where">
            <Banner onDismiss={edit.dismiss} more="What you wrote is still here.">
              {edit.failure}
            </Banner>
            <PlanFields
              form={edit.form}
              quickFills={editQuickFills(now, zone)}
              limit="max"
              between="/"
              surpriseHint={
                isOwnSecret(edit.base) ? (kept) => (kept ? keepSecretHint(partner) : tellHint(partner)) : undefined
              }
            />
            <SaveBar
              main={
                <Button type="submit" variant="primary" disabled={!isValid} busy={edit.isSending}>
                  Save Changes
                </Button>
              }
            >
              <ButtonLink href={paths.dates}>Cancel</ButtonLink>
            </SaveBar>
          </Form>
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
