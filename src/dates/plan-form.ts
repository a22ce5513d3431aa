import type { FormErrors, TextRule } from '../base/form-errors.ts';
import { cannotExceed, formErrors, orLess, textFault } from '../base/form-errors.ts';
import { fromLocalInput, toLocalInput } from '../base/local-input.ts';
import { formatInstant } from '../base/time.ts';
import type { PlannedDate } from './contract.ts';
import { dateBodyOf, type UpdateBody } from './date-body.ts';
import { isOwnSecret, type WithSurprise } from './is-hidden.ts';
import {
  eachOptionalText,
  filledTexts,
  type OptionalText,
  type OptionalTextForm,
  type OptionalTextName,
  optionalTextForm,
} from './optional-texts.ts';
import { plannedTimeError, TIME_ERRORS } from './rules.ts';

/** The values of the plan form and the edit form. Times are `datetime-local` values in the device's zone. */
export interface PlanForm extends OptionalTextForm {
  readonly plannedDateTime: string;
  readonly endDateTime: string;
  /** 'Keep it a surprise'. */
  readonly surprise: boolean;
}

/** Validates the plan form (dates.plan.4). */
export function planErrors(form: PlanForm, now: number, zone: string): FormErrors<PlanForm> {
  return validate(form, now, zone, {
    required: 'Date and time is required',
    tooLong: ({ label, planMax }) => cannotExceed(label, planMax),
  });
}

/** Validates the edit form, which has other messages and limits (dates.edit.1). */
export function editDateErrors(form: PlanForm, now: number, zone: string): FormErrors<PlanForm> {
  return validate(form, now, zone, {
    required: 'Planned date and time is required',
    tooLong: ({ label, max }) => orLess(label, max),
  });
}

interface FormTexts {
  readonly required: string;
  readonly tooLong: (text: OptionalText) => TextRule['max'];
}

function validate(form: PlanForm, now: number, zone: string, texts: FormTexts): FormErrors<PlanForm> {
  const start = fromLocalInput(form.plannedDateTime, zone);
  const end = fromLocalInput(form.endDateTime, zone);
  return formErrors<PlanForm>({
    plannedDateTime: start === null ? texts.required : plannedTimeError(start, now),
    endDateTime: start !== null && end !== null && end <= start ? TIME_ERRORS.endBeforeStart : undefined,
    ...eachOptionalText((name, text) => textFault(form[name], { name: text.label, max: texts.tooLong(text) })),
  });
}

type Editable = Pick<PlannedDate, 'plannedDateTime' | 'endDateTime' | OptionalTextName> & WithSurprise;

/** The initial values of the edit form. */
export function editFormOf(date: Editable, zone: string): PlanForm {
  return {
    plannedDateTime: toLocalInput(Date.parse(date.plannedDateTime), zone),
    endDateTime: date.endDateTime === null ? '' : toLocalInput(Date.parse(date.endDateTime), zone),
    ...optionalTextForm(date),
    surprise: isOwnSecret(date),
  };
}

interface PlanBody extends Partial<OptionalTextForm> {
  plannedDateTime: string;
  endDateTime?: string;
  surprise?: boolean;
}

/** The request body of a create: local times become UTC, empty optional texts are omitted (dates.plan.5). */
export function planBody(dateIdeaId: string, form: PlanForm, zone: string): PlanBody & { dateIdeaId: string } {
  const secret = form.surprise ? { surprise: true } : {};
  return { dateIdeaId, ...bodyOf(form, (text) => instantOf(text, zone)), ...secret };
}

/**
 * The request body of a PUT. An unchanged time keeps its exact instant, because the field shows no seconds and can't
 * tell apart the repeated hour when daylight saving time ends. `surprise` is sent only to reveal one.
 */
export function editDateBody(form: PlanForm, date: Editable, zone: string): UpdateBody {
  const before = editFormOf(date, zone);
  const reveal = isOwnSecret(date) && !form.surprise ? { surprise: false } : {};
  const toInstant = (text: string, field: 'plannedDateTime' | 'endDateTime') =>
    text === before[field] && date[field] ? date[field] : instantOf(text, zone);
  const emptied = { endDateTime: undefined, ...eachOptionalText(() => undefined) };
  return { ...dateBodyOf(date), ...emptied, ...bodyOf(form, toInstant), ...reveal };
}

function bodyOf(
  form: PlanForm,
  toInstant: (text: string, field: 'plannedDateTime' | 'endDateTime') => string,
): PlanBody {
  return {
    plannedDateTime: toInstant(form.plannedDateTime, 'plannedDateTime'),
    ...(form.endDateTime === '' ? {} : { endDateTime: toInstant(form.endDateTime, 'endDateTime') }),
    ...filledTexts(form),
  };
}

/** Converts a local value to an ISO instant. An invalid value is sent as it is, so that the server rejects it. */
function instantOf(local: string, zone: string): string {
  const ms = fromLocalInput(local, zone);
  return ms === null ? local : formatInstant(ms);
}
