import { type FormErrors, orLess } from '../base/form-errors.ts';
import { toLocalInput } from '../base/local-input.ts';
import type { PlannedDate } from './contract.ts';
import { dateBodyOf, type UpdateBody } from './date-body.ts';
import { isOwnSecret, type WithSurprise } from './is-hidden.ts';
import { eachOptionalText, type OptionalTextName, optionalTextForm } from './optional-texts.ts';
import { localToInstant, type PlanForm, planFormBody, planFormErrors } from './plan-form.ts';

type Editable = Pick<PlannedDate, 'plannedDateTime' | 'endDateTime' | OptionalTextName> & WithSurprise;

/** Validates the edit form, which has other messages and limits (dates.edit.1). */
export function editDateErrors(form: PlanForm, now: number, zone: string): FormErrors<PlanForm> {
  return planFormErrors(form, now, zone, {
    required: 'Planned date and time is required',
    tooLong: ({ label, max }) => orLess(label, max),
  });
}

/** The initial values of the edit form. */
export function editFormOf(date: Editable, zone: string): PlanForm {
  return {
    plannedDateTime: toLocalInput(Date.parse(date.plannedDateTime), zone),
    endDateTime: date.endDateTime === null ? '' : toLocalInput(Date.parse(date.endDateTime), zone),
    ...optionalTextForm(date),
    surprise: isOwnSecret(date),
  };
}

/**
 * The request body of a PUT. An unchanged time keeps its exact instant, because the field shows no seconds and can't
 * tell apart the repeated hour when daylight saving time ends. `surprise` is sent only to reveal one.
 */
export function editDateBody(form: PlanForm, date: Editable, zone: string): UpdateBody {
  const before = editFormOf(date, zone);
  const reveal = isOwnSecret(date) && !form.surprise ? { surprise: false } : {};
  const toInstant = (text: string, field: 'plannedDateTime' | 'endDateTime') =>
    text === before[field] && date[field] ? date[field] : localToInstant(text, zone);
  const emptied = { endDateTime: undefined, ...eachOptionalText(() => undefined) };
  return { ...dateBodyOf(date), ...emptied, ...planFormBody(form, toInstant), ...reveal };
}
