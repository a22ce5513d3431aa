import { clockTime, longDate } from '../../base/date-formats.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { CoupleText } from '../../kit/web/couple-text.tsx';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { Facts } from '../../kit/web/layout/facts.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { paths } from '../../paths.ts';
import type { PlannedDate } from '../contract.ts';
import { timeWithDateIfDifferent } from '../detail-texts.ts';
import { factTexts } from '../optional-texts.ts';
import { actualDurationText, plannedDurationText } from '../time-texts.ts';
import { AddToCalendar } from './add-to-calendar.tsx';

/** Time and place, planned and actual (dates.details.3). */
export function WhenAndWhere({ date }: { date: PlannedDate }) {
  const zone = deviceZone();
  const planned = Date.parse(date.plannedDateTime);
  const timeText = (instant: string | null) => instant && timeWithDateIfDifferent(instant, date.plannedDateTime, zone);
  return (
    <Section title="When and where">
      <Facts
        items={[
          { label: 'Date', value: longDate(planned, zone) },
          { label: 'Start time', value: clockTime(planned, zone) },
          { label: 'End time', value: timeText(date.endDateTime) },
          { label: 'Duration', value: plannedDurationText(date) },
          ...factTexts(date).map(({ label, text }) => ({ label, value: <CoupleText>{text}</CoupleText> })),
          { label: 'Actual start', value: timeText(date.actualStartTime) },
          { label: 'Actual end', value: timeText(date.actualEndTime) },
          { label: 'Actual duration', value: actualDurationText(date) },
        ]}
      />
      {date.status === 'InProgress' && <ButtonLink href={paths.dateNow(date.id)}>Our date, right now</ButtonLink>}
      {date.status === 'Completed' && <ButtonLink href={paths.recordDate(date.id)}>Correct What Happened</ButtonLink>}
      {date.status === 'Planned' && <AddToCalendar dateId={date.id} />}
    </Section>
  );
}
