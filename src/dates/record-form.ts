import type { FormErrors } from '../base/form-errors.ts';
import { formErrors, orLess, textFault } from '../base/form-errors.ts';
import { formatInstant } from '../base/instants.ts';
import { eachOptionalText, filledTexts, type OptionalTextForm } from './optional-texts.ts';
import { pastTimeErrors } from './past-rules.ts';

/** What a form says happened. Times are `datetime-local` values in the device's zone. */
export interface RecordForm extends OptionalTextForm {
  readonly actualStartTime: string;
  readonly actualEndTime: string;
}

/** Reads a time of a form in milliseconds; null if it is empty or impossible. */
export type TimeReader = (form: RecordForm, field: 'actualStartTime' | 'actualEndTime') => number | null;

/** Validates what happened. `read` reads its two times. */
export function recordErrors(form: RecordForm, read: TimeReader, now: number): FormErrors<RecordForm> {
  const [start, end] = [read(form, 'actualStartTime'), read(form, 'actualEndTime')];
  // With one time missing, the other is still checked by itself.
  const times = pastTimeErrors({ actualStartTime: start ?? now, actualEndTime: end ?? Number.POSITIVE_INFINITY }, now);
  return formErrors<RecordForm>({
    actualStartTime: start === null ? 'Start time is required' : times.actualStartTime,
    actualEndTime: end === null ? 'End time is required' : start === null ? undefined : times.actualEndTime,
    ...eachOptionalText((name, { label, max }) => textFault(form[name], { name: label, max: orLess(label, max) })),
  });
}

/** What a request says happened. */
export function recordBodyOf(form: RecordForm, read: TimeReader) {
  /** An impossible time is sent as it is, so that the server refuses it. */
  const instant = (field: 'actualStartTime' | 'actualEndTime') => {
    const ms = read(form, field);
    return ms === null ? form[field] : formatInstant(ms);
  };
  return {
    actualStartTime: instant('actualStartTime'),
    actualEndTime: instant('actualEndTime'),
    ...filledTexts(form),
  };
}
