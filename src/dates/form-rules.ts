import { fromLocalInput, toLocalInput } from '../base/calendar.ts';
import type { FormErrors, TextRule } from '../base/form.ts';
import { cannotExceed, formErrors, orLess, textFault } from '../base/form.ts';
import { cleanText } from '../base/text.ts';
import { formatInstant } from '../base/time.ts';
import type { PlannedDate } from './contract.ts';
import { dateBodyOf, type UpdateBody } from './date-body.ts';
import { dateLimits, plannedTimeError, TIME_ERRORS } from './rules.ts';
import { isOwnSecret, type WithSurprise } from './surprise-texts.ts';

/** The values of the plan form and the edit form. Times are `datetime-local` values in the device's zone. */
export interface PlanForm {
  readonly plannedDateTime: string;
  readonly endDateTime: string;
  readonly location: string;
  readonly notes: string;
  /** 'Keep it a surprise'. */
  readonly surprise: boolean;
}

/** Validates the plan form (dates.plan.4). */
export function planErrors(form: PlanForm, now: number, zone: string): FormErrors<PlanForm> {
  return validate(form, now, zone, {
    required: 'Date and time is required',
    location: cannotExceed('Location', dateLimits.planLocation),
    notes: cannotExceed('Notes', dateLimits.planNotes),
  });
}

/** Validates the edit form, which has other messages and limits (dates.edit.1). */
export function editDateErrors(form: PlanForm, now: number, zone: string): FormErrors<PlanForm> {
  return validate(form, now, zone, {
    required: 'Planned date and time is required',
    location: orLess('Location', dateLimits.location),
    notes: orLess('Notes', dateLimits.notes),
  });
}

interface FormTexts {
  readonly required: string;
  readonly location: TextRule['max'];
  readonly notes: TextRule['max'];
}

function validate(form: PlanForm, now: number, zone: string, texts: FormTexts): FormErrors<PlanForm> {
  const start = fromLocalInput(form.plannedDateTime, zone);
  const end = fromLocalInput(form.endDateTime, zone);
  return formErrors<PlanForm>({
    plannedDateTime: start === null ? texts.required : plannedTimeError(start, now),
    endDateTime: start !== null && end !== null && end <= start ? TIME_ERRORS.endBeforeStart : undefined,
    location: textFault(form.location, { name: 'Location', max: texts.location }),
    notes: textFault(form.notes, { name: 'Notes', max: texts.notes }),
  });
}

type Times = Pick<PlannedDate, 'plannedDateTime' | 'endDateTime' | 'location' | 'notes'> & WithSurprise;

/** The initial values of the edit form. */
export function editFormOf(date: Times, zone: string): PlanForm {
  return {
    plannedDateTime: toLocalInput(Date.parse(date.plannedDateTime), zone),
    endDateTime: date.endDateTime === null ? '' : toLocalInput(Date.parse(date.endDateTime), zone),
    location: date.location ?? '',
    notes: date.notes ?? '',
    surprise: isOwnSecret(date),
  };
}

interface PlanBody {
  plannedDateTime: string;
  endDateTime?: string;
  location?: string;
  notes?: string;
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
export function editDateBody(form: PlanForm, date: Times, zone: string): UpdateBody {
  const before = editFormOf(date, zone);
  const reveal = isOwnSecret(date) && !form.surprise ? { surprise: false } : {};
  const toInstant = (text: string, field: 'plannedDateTime' | 'endDateTime') =>
    text === before[field] && date[field] ? date[field] : instantOf(text, zone);
  const emptied = { endDateTime: undefined, location: undefined, notes: undefined };
  return { ...dateBodyOf(date), ...emptied, ...bodyOf(form, toInstant), ...reveal };
}

function bodyOf(
  form: PlanForm,
  toInstant: (text: string, field: 'plannedDateTime' | 'endDateTime') => string,
): PlanBody {
  const location = cleanText(form.location);
  const notes = cleanText(form.notes);
  return {
    plannedDateTime: toInstant(form.plannedDateTime, 'plannedDateTime'),
    ...(form.endDateTime === '' ? {} : { endDateTime: toInstant(form.endDateTime, 'endDateTime') }),
    ...(location === '' ? {} : { location }),
    ...(notes === '' ? {} : { notes }),
  };
}

/** Converts a local value to an ISO instant. An invalid value is sent as it is, so that the server rejects it. */
function instantOf(local: string, zone: string): string {
  const ms = fromLocalInput(local, zone);
  return ms === null ? local : formatInstant(ms);
}
