import { addDays } from '../base/calendar-days.ts';
import { cleanText } from '../base/clean-text.ts';
import type { FormErrors } from '../base/form-errors.ts';
import { cannotExceed, formErrors, orLess, textFault } from '../base/form-errors.ts';
import { dayOf } from '../base/instants.ts';
import { fromLocalInput } from '../base/local-input.ts';
import type { CategoryValue } from '../ideas/categories.ts';
import { ideaLimits } from '../ideas/rules.ts';
import { eachOptionalText, OPTIONAL_TEXTS } from './optional-texts.ts';
import { type RecordForm, recordBodyOf, recordErrors, type TimeReader } from './record-form.ts';

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
export interface SuggestedIdea {
  readonly id: string;
  readonly title: string;
  readonly category: string;
}

/** The idea that has the typed title, without regard to case. */
export function ideaNamed<T extends SuggestedIdea>(ideas: readonly T[], what: string): T | undefined {
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

/** What is wrong with 'What did we do?'. */
export function whatFault(what: string): string | undefined {
  if (cleanText(what) === '') return 'Please say what we did';
  return textFault(what, { name: 'Title', max: cannotExceed('Title', ideaLimits.title) });
}

/** What is wrong with 'Location'. */
export function placeFault(location: string): string | undefined {
  return textFault(location, { name: 'Location', max: orLess('Location', OPTIONAL_TEXTS.location.max) });
}

const inZone =
  (zone: string): TimeReader =>
  (form, field) =>
    fromLocalInput(form[field], zone);

/** Validates the form for a past date (dates.past.5). */
export function pastErrors(form: PastForm, now: number, zone: string): FormErrors<PastForm> {
  return {
    ...recordErrors(form, inZone(zone), now),
    ...formErrors<Pick<PastForm, 'what' | 'category'>>({
      what: whatFault(form.what),
      category: form.category === '' ? 'Category is required' : undefined,
    }),
  };
}

/** The request body for a past date: with the idea of this title, or with a new one. */
export function pastBody(form: PastForm, ideas: readonly SuggestedIdea[], zone: string) {
  return { ...ideaPart(form, ideas), ...recordBodyOf(form, inZone(zone)) };
}

/** What a request says about the idea. */
export function ideaPart(
  { what, category, keep }: Pick<PastForm, 'what' | 'category' | 'keep'>,
  ideas: readonly SuggestedIdea[],
) {
  const known = ideaNamed(ideas, what);
  const idea = { title: cleanText(what), category: category as CategoryValue, isActive: keep };
  return known ? { dateIdeaId: known.id } : { idea };
}
