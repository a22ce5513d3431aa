import type { FormErrors } from '../base/form-errors.ts';
import { fromLocalInput, toLocalInput } from '../base/local-input.ts';
import type { PlannedDate } from './contract.ts';
import { type OptionalTextName, optionalTextForm } from './optional-texts.ts';
import { type RecordForm, recordBodyOf, recordErrors, type TimeReader } from './record-form.ts';

type Recorded = Pick<PlannedDate, 'actualStartTime' | 'actualEndTime' | OptionalTextName>;

/** The initial values of the form that corrects a date. */
export function recordFormOf(date: Recorded, zone: string): RecordForm {
  const local = (instant: string | null) => (instant === null ? '' : toLocalInput(Date.parse(instant), zone));
  return {
    actualStartTime: local(date.actualStartTime),
    actualEndTime: local(date.actualEndTime),
    ...optionalTextForm(date),
  };
}

/** Reads the times of a correction. An unchanged one keeps its exact instant: the field shows no seconds. */
function overRecord(date: Recorded, zone: string): TimeReader {
  const before = recordFormOf(date, zone);
  return (form, field) => {
    const recorded = date[field];
    return form[field] === before[field] && recorded !== null
      ? Date.parse(recorded)
      : fromLocalInput(form[field], zone);
  };
}

/** Validates the correction of a date. */
export function correctionErrors(form: RecordForm, date: Recorded, now: number, zone: string): FormErrors<RecordForm> {
  return recordErrors(form, overRecord(date, zone), now);
}

/** The request body of a correction: an emptied text is cleared. */
export function correctionBody(form: RecordForm, date: Recorded, zone: string) {
  return recordBodyOf(form, overRecord(date, zone));
}
