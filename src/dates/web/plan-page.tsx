import { useState } from 'react';
import { useForm, useFormState } from 'react-hook-form';
import { useLocation, useParams } from 'wouter';
import { useUser } from '../../auth/web/session.ts';
import { useDraft } from '../../base/web/draft.ts';
import { submits, useCreateKey, verdictResolver } from '../../base/web/form.ts';
import { useGoBack } from '../../base/web/go-back.ts';
import { clock, deviceZone, useNow } from '../../base/web/now.ts';
import { Opened } from '../../base/web/opened.tsx';
import { Banner } from '../../base/web/ui/banner.tsx';
import { Button, ButtonLink } from '../../base/web/ui/button.tsx';
import { DrawnCard } from '../../base/web/ui/drawings.tsx';
import { EmptyState, ErrorCard } from '../../base/web/ui/empty-state.tsx';
import { Form } from '../../base/web/ui/fields.tsx';
import { IndexCard } from '../../base/web/ui/index-card.tsx';
import { Masthead } from '../../base/web/ui/masthead.tsx';
import { useNotify } from '../../base/web/ui/notices.tsx';
import { Leaf, Page, Spread } from '../../base/web/ui/page.tsx';
import { SaveBar } from '../../base/web/ui/save-bar.tsx';
import { Section } from '../../base/web/ui/section.tsx';
import { IndexCardSkeletons } from '../../base/web/ui/skeleton.tsx';
import { useUnsavedChanges } from '../../base/web/unsaved.ts';
import type { DateIdea } from '../../ideas/contract.ts';
import { lastPlannedText, timesPlannedText } from '../../ideas/list-rules.ts';
import { suggestLocation } from '../../ideas/location-suggestion.ts';
import { IdeaTab, NO_DESCRIPTION } from '../../ideas/web/idea-card.tsx';
import { useIdea } from '../../ideas/web/queries.ts';
import { paths } from '../../paths.ts';
import { type PlanForm, planBody, planErrors } from '../form-rules.ts';
import { defaultPlanTime, planPickerLimits, planQuickFills } from '../quick-fills.ts';
import { dateLimits } from '../rules.ts';
import { dayAndTime } from './date-ticket.tsx';
import { PlanFields } from './plan-fields.tsx';
import { usePlanDate } from './queries.ts';
import { TicketPreview } from './ticket-preview.tsx';

const KEPT = 'Our date is kept on this device, and will be sent when we are online again.';

/** /date-ideas/{id}/plan: a date from an idea (spec 2, Plan a date). */
export default function PlanPage() {
  const id = useParams<{ id: string }>().id.trim();
  const query = useIdea(id);
  if (id === '') return <LoadFailed>No date idea specified.</LoadFailed>;
  return (
    <Opened
      query={query}
      loading={
        <Page busy>
          <IndexCardSkeletons message="Loading date idea..." count={1} />
        </Page>
      }
      error={({ status }, retry) => (
        <LoadFailed onRetry={retry}>
          {status === 404 ? 'Date idea not found.' : 'Failed to load date idea. Please try again.'}
        </LoadFailed>
      )}
    >
      {({ thing, etag }) =>
        thing.isActive ? <PlanDate idea={thing} local={etag === null} /> : <Inactive idea={thing} />
      }
    </Opened>
  );
}

function LoadFailed({ children, onRetry }: { children: string; onRetry?: () => void }) {
  return (
    <Page>
      <ErrorCard level={1} onRetry={onRetry} actions={<ButtonLink href={paths.ideas}>Back to Date Ideas</ButtonLink>}>
        {children}
      </ErrorCard>
    </Page>
  );
}

/** The server would refuse it (contract 1, 409): said before anything is typed. */
function Inactive({ idea }: { idea: DateIdea }) {
  return (
    <Page>
      <EmptyState
        drawing={<DrawnCard />}
        title={idea.title}
        level={1}
        actions={
          <>
            <ButtonLink variant="primary" href={paths.editIdea(idea.id)}>
              Edit
            </ButtonLink>
            <ButtonLink href={paths.ideas}>Back to Date Ideas</ButtonLink>
          </>
        }
      >
        This idea is inactive. Make it active again to plan a date from it.
      </EmptyState>
    </Page>
  );
}

/** `local`: the idea was added offline, and the server has not seen it yet. */
function PlanDate({ idea, local }: { idea: DateIdea; local: boolean }) {
  const now = useNow();
  const zone = deviceZone();
  const { form, suggestion, failure, dismiss, handlers } = usePlan(idea, local);
  const goBack = useGoBack(paths.ideas);
  const { isValid, isSubmitting } = useFormState({ control: form.control });
  return (
    <Spread>
      <Leaf>
        <Masthead title="Plan a Date" back={{ href: paths.ideas, label: 'Back to Date Ideas' }} />
        <ChosenIdea idea={idea} />
        <TicketPreview idea={idea} control={form.control} />
      </Leaf>
      <Leaf>
        <Section title="When and where">
          <Form {...handlers} aria-label="When and where">
            <Banner onDismiss={dismiss} more="What we wrote is still here.">
              {failure}
            </Banner>
            <PlanFields
              form={form}
              quickFills={planQuickFills(now, zone)}
              limits={planPickerLimits(now, zone)}
              lengths={{ location: dateLimits.planLocation, notes: dateLimits.planNotes }}
              between=" / "
              locationHint={suggestion === '' ? undefined : 'From our idea’s description'}
            />
            <SaveBar
              main={
                <Button type="submit" variant="primary" disabled={!isValid} busy={isSubmitting}>
                  {isSubmitting ? 'Planning...' : 'Plan This Date'}
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

/** The plan form; what it opens with is no unsaved change, and a failure keeps what was typed. */
function usePlan(idea: DateIdea, local: boolean) {
  const zone = deviceZone();
  const [suggestion] = useState(() => suggestLocation(idea.description));
  const form = useForm<PlanForm>({
    defaultValues: {
      plannedDateTime: defaultPlanTime(useNow(), zone),
      endDateTime: '',
      location: suggestion,
      notes: '',
    },
    resolver: verdictResolver((values) => planErrors(values, clock(), zone)),
    mode: 'all',
  });
  const [failure, setFailure] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const notify = useNotify();
  const { mutateAsync } = usePlanDate();
  const keyOf = useCreateKey();
  const release = useUnsavedChanges(useFormState({ control: form.control }).isDirty);
  const { id: owner } = useUser();
  useDraft(form, owner);

  const send = async (values: PlanForm) => {
    setFailure(null);
    const body = planBody(idea.id, values, zone);
    const lines = [dayAndTime(body.plannedDateTime, zone), body.location, body.notes].filter(
      (line) => line !== undefined,
    );
    const keep = { owner, form: values, path: paths.planDate(idea.id), title: idea.title, lines };
    try {
      const date = await mutateAsync({ body, key: keyOf(body), keep, local });
      release();
      notify.status(date === null ? KEPT : 'Our date is planned.');
      navigate(date === null ? paths.dates : paths.date(date.id));
    } catch {
      setFailure('Failed to plan date. Please try again.');
    }
  };
  return { form, suggestion, failure, dismiss: () => setFailure(null), handlers: submits(form, send).handlers };
}

function ChosenIdea({ idea }: { idea: DateIdea }) {
  const last = lastPlannedText(idea, useNow(), deviceZone());
  return (
    <IndexCard
      hue={idea.category}
      tab={<IdeaTab category={idea.category} />}
      title={idea.title}
      text={idea.description}
      none={NO_DESCRIPTION}
      foot={[timesPlannedText(idea.plannedDatesCount), last].filter((part) => part !== null).join(' · ')}
      whole
    />
  );
}
