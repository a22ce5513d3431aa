import { addDays } from '../base/calendar-days.ts';
import { HOUR, MINUTE } from '../base/durations.ts';
import { dayOf } from '../base/instants.ts';
import { fromLocalInput, toLocalInput } from '../base/local-input.ts';

/** A button that fills a time field. `value` is for the `datetime-local` input, in the device's zone. */
export interface QuickFill {
  readonly label: string;
  readonly value: string;
}

/** A local time, `days` days from today. */
function daysAhead(now: number, zone: string, days: number, time: '14:00' | '19:00'): string {
  return `${addDays(dayOf(now, zone), days)}T${time}`;
}

/** Days until the next Saturday. On a Saturday, that is 7. */
function daysToSaturday(now: number, zone: string): number {
  const weekday = Temporal.PlainDate.from(dayOf(now, zone)).dayOfWeek;
  return (6 - weekday + 7) % 7 || 7;
}

/** The plan form's quick fills (dates.plan.3). */
export function planQuickFills(now: number, zone: string): QuickFill[] {
  return [
    { label: 'Today Evening', value: daysAhead(now, zone, 0, '19:00') },
    { label: 'Tomorrow Evening', value: daysAhead(now, zone, 1, '19:00') },
    { label: 'This Weekend', value: daysAhead(now, zone, daysToSaturday(now, zone), '14:00') },
    { label: 'Next Week', value: daysAhead(now, zone, 7, '19:00') },
  ];
}

/** The edit form's quick fills (dates.edit.2). */
export function editQuickFills(now: number, zone: string): QuickFill[] {
  return [
    { label: 'Today 7 PM', value: daysAhead(now, zone, 0, '19:00') },
    { label: 'Tomorrow 7 PM', value: daysAhead(now, zone, 1, '19:00') },
    { label: 'This Sat 2 PM', value: daysAhead(now, zone, daysToSaturday(now, zone), '14:00') },
    { label: 'Next Week 7 PM', value: daysAhead(now, zone, 7, '19:00') },
  ];
}

/**
 * The complete form's quick fills (dates.complete.2). 'Now' includes seconds only if the date was started within the
 * current minute; without them it would be before the start.
 */
export function completeQuickFills(now: number, zone: string, recordedStart: number | null): QuickFill[] {
  const minute = toLocalInput(now, zone);
  const startedJustNow =
    recordedStart !== null && recordedStart < now && (fromLocalInput(minute, zone) ?? now) <= recordedStart;
  return [
    { label: 'Now', value: startedJustNow ? withSeconds(now, zone) : minute },
    { label: '30 minutes ago', value: toLocalInput(now - 30 * MINUTE, zone) },
    { label: '1 hour ago', value: toLocalInput(now - HOUR, zone) },
    { label: '2 hours ago', value: toLocalInput(now - 2 * HOUR, zone) },
  ];
}

function withSeconds(now: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'millisecond' });
}

/** The initial start time of the plan form: tomorrow at 19:00 (dates.plan.2). */
export function defaultPlanTime(now: number, zone: string): string {
  return daysAhead(now, zone, 1, '19:00');
}
