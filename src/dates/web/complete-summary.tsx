import { type Control, useWatch } from 'react-hook-form';
import { longDuration, minutesBetween } from '../../base/durations.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import { Facts } from '../../kit/web/layout/facts.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { type CompleteForm, completeDurationText } from '../complete-form.ts';
import type { PlannedDate } from '../contract.ts';
import { dayAndTime, plannedDurationText } from '../time-texts.ts';

export interface CompleteSummaryProps {
  readonly date: PlannedDate;
  readonly control: Control<CompleteForm>;
}

/** The start, the planned and the actual duration (dates.complete.1). */
export function CompleteSummary({ date, control }: CompleteSummaryProps) {
  const zone = deviceZone();
  const now = useNow();
  const values = useWatch({ control }) as CompleteForm;
  const chosen = completeDurationText(values, date, zone);
  const started = date.actualStartTime;
  const soFar = started && `${longDuration(minutesBetween(Date.parse(started), now))} so far`;
  return (
    <Section title="Time together so far">
      <Facts
        items={[
          { label: 'Started', value: started && dayAndTime(started, zone) },
          { label: 'Actual duration', value: /^\d/.test(chosen) ? chosen : soFar },
          { label: 'Originally planned', value: plannedDurationText(date) ?? 'No end time' },
        ]}
      />
    </Section>
  );
}
