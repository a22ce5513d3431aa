import { type Control, useWatch } from 'react-hook-form';
import { longDuration, minutesBetween } from '../../base/time.ts';
import { deviceZone, useNow } from '../../base/web/now.ts';
import { Facts } from '../../kit/web/layout/facts.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { type CompleteForm, completeDurationText } from '../complete-rules.ts';
import type { PlannedDate } from '../contract.ts';
import { plannedDurationText } from '../time-texts.ts';
import { dayAndTime } from './date-ticket.tsx';

export interface CompleteSummaryProps {
  readonly date: PlannedDate;
  readonly control: Control<CompleteForm>;
}

/** When it began, how long it was meant to be and how long it is (spec 2, Complete date). */
export function CompleteSummary({ date, control }: CompleteSummaryProps) {
  const zone = deviceZone();
  const now = useNow();
  const values = useWatch({ control }) as CompleteForm;
  const chosen = completeDurationText(values, date, zone);
  const started = date.actualStartTime;
  const sofar = started && `${longDuration(minutesBetween(Date.parse(started), now))} so far`;
  return (
    <Section title="How long we have been out">
      <Facts
        items={[
          { label: 'Started', value: started && dayAndTime(started, zone) },
          { label: 'Actual duration', value: /^\d/.test(chosen) ? chosen : sofar },
          { label: 'Originally planned', value: plannedDurationText(date) ?? 'Without an end' },
        ]}
      />
    </Section>
  );
}
