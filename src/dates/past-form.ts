import { addDays, fromLocalInput, toLocalInput } from '../base/calendar.ts';
import type { FormErrors } from '../base/form.ts';
import { cannotExceed, formErrors, orLess, textFault } from '../base/form.ts';
import { cleanText } from '../base/text.ts';
import { dayOf, formatInstant } from '../base/time.ts';
import { type CategoryValue, ideaLimits } from '../ideas/rules.ts';
import type { PlannedDate } from './contract.ts';
import {
  eachOptionalText,
  filledTexts,
  OPTIONAL_TEXTS,
  type OptionalTextForm,
  type OptionalTextName,
  optionalTextForm,
} from './optional-texts.ts';
import { pastTimeErrors } from './past-rules.ts';

/** What a form says happened. Times are `datetime-local` values in the device's zone. */
export interface RecordForm extends OptionalTextForm {
  readonly actualStartTime: string;
  readonly actualEndTime: string;
}

/** The values of the form for a past date. */
export interface PastForm extends RecordForm {
  /** 'What did we do?': the title of one of our ideas, or of a new one. */
  readonly what: string;
  /** The category of a new idea. */
  readonly category: string;
  /** 'Keep it as an idea for another time'. */
  readonly keep: boolean;
}

/** An idea that the form suggests. */
interface Suggested {
  readonly id: string;
  readonly title: string;
  readonly category: string;
}

/** The idea that has the typed title, without regard to case. */
export function ideaNamed<T extends Suggested>(ideas: readonly T[], what: string): T | undefined {
  const wanted = cleanText(what).toLowerCase();
  return wanted === '' ? undefined : ideas.find(({ title }) => title.toLowerCase() === wanted);
}

/** The initial values of the form for a past date (dates.past.4): yesterday evening. */
export function pastFormOf(now: number, zone: string): PastForm {
  const yesterday = addDays(dayOf(now, zone), -1);
  return {
    what: '',
    category: 'Romantic',
    actualStartTime: `${yesterday}T19:00`,
    actualEndTime: `${yesterday}T22:00`,
    ...eachOptionalText(() => ''),
    keep: false,
  };
}

/** A button that fills both times: those of the day in 'Started'. */
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

/** Validates what happened. `startOf` and `endOf` read the two times in milliseconds. */
function recordErrors(form: RecordForm, read: Reading, now: number): FormErrors<RecordForm> {
  const [start, end] = [read(form, 'actualStartTime'), read(form, 'actualEndTime')];
  // With one time missing, the other is still checked by itself.
  const times = pastTimeErrors({ actualStartTime: start ?? now, actualEndTime: end ?? Number.POSITIVE_INFINITY }, now);
  return formErrors<RecordForm>({
    actualStartTime: start === null ? 'Start time is required' : times.actualStartTime,
    actualEndTime: end === null ? 'End time is required' : start === null ? undefined : times.actualEndTime,
    ...eachOptionalText((name, { label, max }) => textFault(form[name], { name: label, max: orLess(label, max) })),
  });
}

/** What is wrong with 'What did we do?'. */
export function saidFault(what: string): string | undefined {
  if (cleanText(what) === '') return 'Please say what we did';
  return textFault(what, { name: 'Title', max: cannotExceed('Title', ideaLimits.title) });
}

/** What is wrong with 'Location'. */
export function placeFault(location: string): string | undefined {
  return textFault(location, { name: 'Location', max: orLess('Location', OPTIONAL_TEXTS.location.max) });
}

/** Reads a time of a form in milliseconds; null if it is empty or impossible. */
type Reading = (form: RecordForm, field: 'actualStartTime' | 'actualEndTime') => number | null;

const inZone =
  (zone: string): Reading =>
  (form, field) =>
    fromLocalInput(form[field], zone);

/** Validates the form for a past date (dates.past.5). */
export function pastErrors(form: PastForm, now: number, zone: string): FormErrors<PastForm> {
  return {
    ...recordErrors(form, inZone(zone), now),
    ...formErrors<Pick<PastForm, 'what' | 'category'>>({
      what: saidFault(form.what),
      category: form.category === '' ? 'Category is required' : undefined,
    }),
  };
}

/** The request body for a past date: with the idea of this title, or with a new one. */
export function pastBody(form: PastForm, ideas: readonly Suggested[], zone: string) {
  return { ...ideaPart(form, ideas), ...recordBodyOf(form, inZone(zone)) };
}

/** What is known of an outing that becomes a past date. Times are in milliseconds. */
interface Described {
  readonly what: string;
  readonly category: string;
  readonly location: string;
  readonly start: number;
  readonly end: number;
}

/** The request body for an outing. */
export function outingBody({ what, category, location, start, end }: Described, ideas: readonly Suggested[]) {
  const place = cleanText(location);
  return {
    ...ideaPart({ what, category, keep: false }, ideas),
    actualStartTime: formatInstant(start),
    actualEndTime: formatInstant(end),
    ...(place === '' ? {} : { location: place }),
  };
}

/** What a request says about the idea. */
function ideaPart({ what, category, keep }: Pick<PastForm, 'what' | 'category' | 'keep'>, ideas: readonly Suggested[]) {
  const known = ideaNamed(ideas, what);
  const idea = { title: cleanText(what), category: category as CategoryValue, isActive: keep };
  return known ? { dateIdeaId: known.id } : { idea };
}

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
function overRecord(date: Recorded, zone: string): Reading {
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

function recordBodyOf(form: RecordForm, read: Reading) {
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

/** The `min` and `max` of the time fields. */
export function pastPickerLimits(now: number, zone: string): { min: string; max: string } {
  return { min: '1900-01-01T00:00', max: toLocalInput(now, zone) };
}
