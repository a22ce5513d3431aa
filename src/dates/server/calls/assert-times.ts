import { Refusal } from '../../../base/refusal.ts';
import { pastTimeErrors } from '../../past-rules.ts';
import { plannedTimeError, TIME_ERRORS } from '../../rules.ts';
import type { PlannedFields } from '../date-store.ts';

/** Rejects planned times outside of the allowed range, or an end that is not after the start. @throws Refusal 400 */
export function assertPlan({ plannedDateTime, endDateTime }: PlannedFields, now: number): void {
  const endsEarly = endDateTime !== null && endDateTime <= plannedDateTime;
  throwIfInvalid([
    ['plannedDateTime', plannedTimeError(plannedDateTime, now)],
    ['endDateTime', endsEarly ? TIME_ERRORS.endBeforeStart : undefined],
  ]);
}

/** Rejects times at which a date can't have happened. @throws Refusal 400 */
export function assertPast(times: Parameters<typeof pastTimeErrors>[0], now: number): void {
  throwIfInvalid(Object.entries(pastTimeErrors(times, now)));
}

/** @throws Refusal 400 if any field has an error */
export function throwIfInvalid(errorsByField: readonly [field: string, message: string | undefined][]): void {
  const errors = errorsByField.flatMap(([field, message]) => (message === undefined ? [] : [{ field, message }]));
  if (errors.length > 0) throw new Refusal(400, errors.map(({ message }) => message).join(' '), { errors });
}
