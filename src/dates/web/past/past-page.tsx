import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useLocation } from 'wouter';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { clock, useNow } from '../../../base/web/device/now.ts';
import { registerWithLateBlur } from '../../../base/web/forms/register-with-late-blur.ts';
import { useRepeatableRequest } from '../../../base/web/forms/use-repeatable-request.ts';
import { useGoBack } from '../../../base/web/navigation/use-go-back.ts';
import { useAllIdeas } from '../../../ideas/web/queries.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { CheckField } from '../../../kit/web/forms/check-field.tsx';
import { SaveForm } from '../../../kit/web/forms/save-form.tsx';
import { useKeptForm } from '../../../kit/web/forms/use-kept-form.ts';
import { Leaf } from '../../../kit/web/layout/leaf.tsx';
import { Masthead } from '../../../kit/web/layout/masthead.tsx';
import { Section } from '../../../kit/web/layout/section.tsx';
import { Spread } from '../../../kit/web/layout/spread.tsx';
import { paths } from '../../../paths.ts';
import type { PlannedDate } from '../../contract.ts';
import { presentTexts } from '../../optional-texts.ts';
import { ideaNamed, type PastForm, pastBody, pastErrors, pastFormOf } from '../../past-form.ts';
import type { RecordForm } from '../../record-form.ts';
import { dayAndTime } from '../../time-texts.ts';
import { refusalOf } from '../explain-failure.ts';
import { IdeaOfPastFields, type NamedIdea } from './idea-of-past-fields.tsx';
import { PastPreview } from './past-preview.tsx';
import { useAddPastDate } from './past-queries.ts';
import { RecordFields } from './record-fields.tsx';

const SAVED_OFFLINE = 'Our date is saved on this device and will be sent when we are online again.';

/** `/planned-dates/past`: adds a date that has happened (dates.past.3). */
export default function PastDatePage() {
  const { ideas, ...kept } = usePastDate();
  const { form } = kept;
  const { control } = form;
  const what = useWatch({ control, name: 'what' });
  const goBack = useGoBack(paths.dates);
  return (
    <Spread>
      <Leaf>
        <Masthead
          title="Add a Past Date"
          subtitle="Our story began before this album. What is in it already?"
          back={{ href: paths.dates, label: 'Back to Our Dates' }}
        />
        <PastPreview control={control} ideas={ideas} />
      </Leaf>
      <Leaf>
        <Section title="What happened">
          <SaveForm
            label="What happened"
            state={kept}
            submit="Add to Our Story"
            cancel={<Button onClick={goBack}>Cancel</Button>}
          >
            <IdeaOfPastFields form={partOf<NamedIdea>(form)} ideas={ideas} />
            <RecordFields form={partOf<RecordForm>(form)} withFills />
            <CheckField
              label="Keep it as an idea for another time"
              disabled={ideaNamed(ideas, what) !== undefined}
              {...registerWithLateBlur(form)('keep')}
            />
          </SaveForm>
        </Section>
      </Leaf>
    </Spread>
  );
}

/** The form, for components that know a part of its fields. */
function partOf<Part extends Partial<PastForm>>(form: UseFormReturn<PastForm>): UseFormReturn<Part> {
  return form as unknown as UseFormReturn<Part>;
}

/** The state of the form. A failure keeps what was typed. */
function usePastDate() {
  const zone = deviceZone();
  const { data: ideas = [] } = useAllIdeas(true);
  const now = useNow();
  const [initial] = useState(() => pastFormOf(now, zone));
  const [, navigate] = useLocation();
  const notify = useNotify();
  const addPastDate = useAddPastDate();
  const sendOnce = useRepeatableRequest<ReturnType<typeof pastBody>>();
  const { id: owner } = useUser();
  const kept = useKeptForm<PastForm, PlannedDate | null>({
    owner,
    isGuarded: true,
    defaultValues: initial,
    faults: (values) => pastErrors(values, clock(), zone),
    send: (values) =>
      sendOnce(
        values,
        () => pastBody(values, ideas, zone),
        ({ body, key }) => {
          const lines = [dayAndTime(body.actualStartTime, zone), ...presentTexts(body)];
          const keep = { owner, form: values, path: paths.pastDate, title: values.what, lines };
          return addPastDate({ body, key, keep });
        },
      ),
    onSuccess: (date) => {
      if (date === null) notify.status(SAVED_OFFLINE);
      else notify.status('Our date is in our story.', { label: 'See our story', href: paths.ourStory });
      navigate(date === null ? paths.dates : paths.date(date.id));
    },
    explain: (error) => refusalOf(error) ?? 'Failed to add date. Please try again.',
  });
  return { ...kept, ideas };
}
