import type { FormErrors, TextRule } from '../base/form-errors.ts';
import { cannotExceed, formErrors, textFault } from '../base/form-errors.ts';
import { formatInstant } from '../base/instants.ts';
import { fromLocalInput } from '../base/local-input.ts';
import { eachOptionalText, filledTexts, type OptionalText, type OptionalTextForm } from './optional-texts.ts';
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
  return planFormErrors(form, now, zone, {
    required: 'Date and time is required',
    tooLong: ({ label, planMax }) => cannotExceed(label, planMax),
  });
}

interface FormTexts {
  readonly required: string;
  readonly tooLong: (text: OptionalText) => TextRule['max'];
}

/** Validates the plan form or the edit form, by the texts of each. */
export function planFormErrors(form: PlanForm, now: number, zone: string, texts: FormTexts): FormErrors<PlanForm> {
  const start = fromLocalInput(form.plannedDateTime, zone);
  const end = fromLocalInput(form.endDateTime, zone);
  return formErrors<PlanForm>({
    plannedDateTime: start === null ? texts.required : plannedTimeError(start, now),
    endDateTime: start !== null && end !== null && end <= start ? TIME_ERRORS.endBeforeStart : undefined,
    ...eachOptionalText((name, text) => textFault(form[name], { name: text.label, max: texts.tooLong(text) })),
  });
}

interface PlanBody extends Partial<OptionalTextForm> {
  plannedDateTime: string;
  endDateTime?: string;
  surprise?: boolean;
}

/** The request body of a create: local times become UTC, empty optional texts are omitted (dates.plan.5). */
export function planBody(dateIdeaId: string, form: PlanForm, zone: string): PlanBody & { dateIdeaId: string } {
  const secret = form.surprise ? { surprise: true } : {};
  return { dateIdeaId, ...planFormBody(form, (text) => localToInstant(text, zone)), ...secret };
}

/** What both forms send, besides a surprise. @param toInstant converts a local time */
export function planFormBody(
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
export function localToInstant(local: string, zone: string): string {
  const ms = fromLocalInput(local, zone);
  return ms === null ? local : formatInstant(ms);
}
