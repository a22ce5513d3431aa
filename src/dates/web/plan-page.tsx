import { useRef, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { useLocation, useParams } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { clock, useNow } from '../../base/web/device/now.ts';
import { FormDataLoader } from '../../base/web/forms/form-data-loader.tsx';
import { useCreateKey } from '../../base/web/forms/use-create-key.ts';
import { useGoBack } from '../../base/web/navigation/use-go-back.ts';
import { putDraft } from '../../base/web/storage/stored-draft.ts';
import type { DateIdea } from '../../ideas/contract.ts';
import { lastPlannedText, timesPlannedText } from '../../ideas/idea-age-texts.ts';
import { suggestLocation } from '../../ideas/location-suggestion.ts';
import { BothMark } from '../../ideas/web/both-mark.tsx';
import { CategoryTab } from '../../ideas/web/category-tab.tsx';
import { useIdea } from '../../ideas/web/queries.ts';
import { IndexCard } from '../../kit/web/album/index-card.tsx';
import { FailedPage } from '../../kit/web/feedback/failed-page.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { IndexCardSkeletons } from '../../kit/web/feedback/skeleton.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { Form } from '../../kit/web/forms/form.tsx';
import { SaveBar } from '../../kit/web/forms/save-bar.tsx';
import { useKeptForm } from '../../kit/web/forms/use-kept-form.ts';
import { Leaf } from '../../kit/web/layout/leaf.tsx';
import { Masthead } from '../../kit/web/layout/masthead.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { Spread } from '../../kit/web/layout/spread.tsx';
import { paths } from '../../paths.ts';
import type { PlannedDate } from '../contract.ts';
import { eachOptionalText, presentTexts } from '../optional-texts.ts';
import { planPickerLimits } from '../picker-limits.ts';
import { type PlanForm, planBody, planErrors } from '../plan-form.ts';
import { defaultPlanTime, planQuickFills } from '../quick-fills.ts';
import { keepSecretHint } from '../surprise-texts.ts';
import { dayAndTime } from '../time-texts.ts';
import { InactiveIdea } from './inactive-idea.tsx';
import { MissingIdea } from './missing-idea.tsx';
import { PlanFailed, type PlanFailure, planFailureOf } from './plan-failed.tsx';
import { PlanFields } from './plan-fields.tsx';
import css from './plan-page.module.css';
import { usePlanDate } from './queries.ts';
import { ParcelPreview } from './surprise/parcel-preview.tsx';
import { TicketPreview } from './ticket-preview.tsx';

const BACK = { href: paths.ideas, label: 'Back to Date Ideas' };
const SAVED_OFFLINE = 'Our date is saved on this device and will be sent when we are online again.';

/** `/date-ideas/{id}/plan`: plans a date from an idea (dates.plan.1). */
export default function PlanPage() {
  const id = useParams<{ id: string }>().id.trim();
  const query = useIdea(id);
  const idempotencyKeyOf = useCreateKey();
  if (id === '') return <FailedPage back={BACK}>No date idea specified.</FailedPage>;
  const loading = (
    <Page busy>
      <IndexCardSkeletons message="Loading date idea..." count={1} />
    </Page>
  );
  const missing = (retry: () => void) => (
    <MissingIdea
      id={id}
      idempotencyKeyOf={idempotencyKeyOf}
      loading={loading}
      otherwise={
        <FailedPage back={BACK} onRetry={retry}>
          Date idea not found.
        </FailedPage>
      }
    />
  );
  return (
    <FormDataLoader
      query={query}
      loading={loading}
      error={({ status }, retry) =>
        status === 404 ? (
          missing(retry)
        ) : (
          <FailedPage back={BACK} onRetry={retry}>
            Failed to load date idea. Please try again.
          </FailedPage>
        )
      }
    >
      {(opened) =>
        opened.entity.isActive ? (
          <PlanDate idea={opened.entity} local={opened.etag === null} />
        ) : (
          <InactiveIdea opened={opened} missing={missing(() => void query.refetch())}>
            {(idea) => <PlanDate idea={idea} local={false} />}
          </InactiveIdea>
        )
      }
    </FormDataLoader>
  );
}

/** `local`: the idea was added offline and is not on the server yet. */
function PlanDate({ idea, local }: { idea: DateIdea; local: boolean }) {
  const now = useNow();
  const zone = deviceZone();
  const { form, suggestion, formProps, isSending, submitButton, ...failed } = usePlan(idea, local);
  const goBack = useGoBack(paths.ideas);
  const partner = useUser().partner?.displayName ?? null;
  const { isValid } = useFormState({ control: form.control });
  return (
    <Spread>
      <Leaf>
        <Masthead title="Plan a Date" back={BACK} />
        <ChosenIdea idea={idea} />
        <TicketPreview idea={idea} control={form.control} />
        <ParcelPreview control={form.control} className="desk-only" />
      </Leaf>
      <Leaf>
        <Section title="When and where">
          <Form {...formProps} aria-label="When and where">
            <PlanFailed idea={idea} {...failed} />
            <PlanFields
              form={form}
              quickFills={planQuickFills(now, zone)}
              limits={planPickerLimits(now, zone)}
              limit="planMax"
              between=" / "
              locationHint={suggestion === '' ? undefined : 'From our idea’s description'}
              surpriseHint={() => keepSecretHint(partner)}
            />
            <ParcelPreview control={form.control} className={css.phone} />
            <SaveBar
              main={
                <Button ref={submitButton} type="submit" variant="primary" disabled={!isValid} busy={isSending}>
                  {isSending ? 'Planning...' : 'Plan This Date'}
                </Button>
              }
            >
              <Button onClick={goBack}>Cancel</Button>
            </SaveBar>
          </Form>
        </Section>
      </Leaf>
    </Spread>
  );
}

/** The state of the plan form. Its initial values are not unsaved changes, and a failure keeps what was typed. */
function usePlan(idea: DateIdea, local: boolean) {
  const zone = deviceZone();
  const [suggestion] = useState(() => suggestLocation(idea.description));
  const [failure, setFailure] = useState<PlanFailure | null>(null);
  const [, navigate] = useLocation();
  const notify = useNotify();
  const planDate = usePlanDate();
  const idempotencyKeyOf = useCreateKey();
  const { id: owner, partner } = useUser();
  const { form, formProps, isSending, release } = useKeptForm<PlanForm, PlannedDate | null>({
    owner,
    isGuarded: true,
    defaultValues: {
      plannedDateTime: defaultPlanTime(useNow(), zone),
      endDateTime: '',
      ...eachOptionalText(() => ''),
      location: suggestion,
      surprise: false,
    },
    faults: (values) => planErrors(values, clock(), zone),
    send: (values) => {
      setFailure(null);
      const body = planBody(idea.id, values, zone);
      const secret = body.surprise ? keepSecretHint(partner?.displayName ?? null) : undefined;
      const lines = [dayAndTime(body.plannedDateTime, zone), ...presentTexts(body), secret].filter(
        (line) => line !== undefined,
      );
      const keep = { owner, form: values, path: paths.planDate(idea.id), title: idea.title, lines };
      return planDate({ body, key: idempotencyKeyOf(body), keep, local });
    },
    onSuccess: (date) => {
      notify.status(date === null ? SAVED_OFFLINE : 'Our date is planned.');
      navigate(date === null ? paths.dates : paths.date(date.id));
    },
    explain: (error) => {
      setFailure(planFailureOf(error));
      return null;
    },
  });
  const carry = (path: string) => {
    void putDraft(owner, path, { values: form.getValues(), etag: null });
    release();
  };
  const submitButton = useRef<HTMLButtonElement>(null);
  const onActive = () => {
    setFailure(null);
    notify.status('Our idea is active again.');
    // The button that was pressed is gone.
    submitButton.current?.focus();
  };
  return { form, suggestion, formProps, isSending, submitButton, failure, onFailure: setFailure, carry, onActive };
}

function ChosenIdea({ idea }: { idea: DateIdea }) {
  const last = lastPlannedText(idea, useNow(), deviceZone());
  return (
    <IndexCard
      hue={idea.category}
      tab={<CategoryTab category={idea.category} />}
      title={idea.title}
      mark={idea.hearts.mutual && <BothMark />}
      text={idea.description}
      foot={[timesPlannedText(idea.plannedDatesCount), last].filter((part) => part !== null).join(' · ')}
      fullText
    />
  );
}
