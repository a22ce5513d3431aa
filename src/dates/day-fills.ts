import { addDays } from '../base/calendar-days.ts';
import { dayOf } from '../base/instants.ts';
import { fromLocalInput } from '../base/local-input.ts';
import type { RecordForm } from './record-form.ts';

/** A button that fills both times: those of the day in 'Started', or of yesterday without one. */
export interface DayFill {
  readonly label: string;
  readonly start: string;
  readonly end: string;
}

/** The quick fills 'Evening', 'Afternoon' and 'Whole day' (dates.past.4). */
export function dayFills(
  { actualStartTime }: Pick<RecordForm, 'actualStartTime'>,
  now: number,
  zone: string,
): DayFill[] {
  const isKnown = fromLocalInput(actualStartTime, zone) !== null;
  const day = isKnown ? actualStartTime.slice(0, 10) : addDays(dayOf(now, zone), -1);
  return [
    { label: 'Evening', start: `${day}T19:00`, end: `${day}T22:00` },
    { label: 'Afternoon', start: `${day}T14:00`, end: `${day}T18:00` },
    { label: 'Whole day', start: `${day}T10:00`, end: `${day}T22:00` },
  ];
}
