import { toLocalInput } from '../base/local-input.ts';

/** `min` and `max` of the plan form's pickers: now and two years from now. */
export function planPickerLimits(now: number, zone: string): { min: string; max: string } {
  const localNow = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
  return { min: toLocalInput(now, zone), max: toLocalInput(localNow.add({ years: 2 }).epochMilliseconds, zone) };
}

/** `max` of the complete form's pickers: the current local time. */
export function completePickerMax(now: number, zone: string): string {
  return toLocalInput(now, zone);
}

/** `min` and `max` of the pickers for what happened: from 1900 to now. */
export function pastPickerLimits(now: number, zone: string): { min: string; max: string } {
  return { min: '1900-01-01T00:00', max: toLocalInput(now, zone) };
}
