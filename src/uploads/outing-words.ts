import { cleanText } from '../base/clean-text.ts';
import { type FormErrors, formErrors } from '../base/form-errors.ts';
import type { RepeatableRequest } from '../base/repeatable-request.ts';
import type { OutingBody } from '../dates/outing-body.ts';
import { placeFault, whatFault } from '../dates/past-form.ts';
import type { Outing } from './outings.ts';

/** What a user writes about an outing. */
export interface OutingWords {
  readonly what: string;
  readonly category: string;
  readonly location: string;
  /** The last attempt to add it, to which no refusal came: a retry, also after a reload, sends the same. */
  readonly attempt?: RepeatableRequest<OutingBody>;
}

export const NO_WORDS: OutingWords = { what: '', category: 'Romantic', location: '' };

/** What users write about outings, by the id of one of its photos: more photos may join an outing, and others leave it. */
export type WordsByPhoto = Readonly<Record<string, OutingWords>>;

/** What was written about an outing: of two outings that have become one, about the earlier one. */
export function wordsOf(outing: Outing, words: WordsByPhoto): OutingWords {
  const id = photoWithWords(outing, words);
  return (id === undefined ? undefined : words[id]) ?? NO_WORDS;
}

/**
 * The words with those of an outing replaced; null takes out all of them. What was written about a part of it before stays
 * until then: it may become an outing of its own again.
 */
export function withWords(words: WordsByPhoto, outing: Outing, next: OutingWords | null): WordsByPhoto {
  const [first] = outing.ids;
  const entries = Object.entries(words);
  if (next === null || first === undefined) {
    return Object.fromEntries(entries.filter(([id]) => !outing.ids.includes(id)));
  }
  const replaced = photoWithWords(outing, words);
  return Object.fromEntries([...entries.filter(([id]) => id !== replaced), [first, next]]);
}

function photoWithWords({ ids }: Outing, words: WordsByPhoto): string | undefined {
  return ids.find((id) => Object.hasOwn(words, id));
}

/** Whether an outing has a title. */
export function isNamed({ what }: OutingWords): boolean {
  return cleanText(what) !== '';
}

/** What is wrong with what was written about an outing that is to become a date. */
export function outingFaults({ what, location }: OutingWords): FormErrors<OutingWords> {
  return formErrors<OutingWords>({ what: whatFault(what), location: placeFault(location) });
}
