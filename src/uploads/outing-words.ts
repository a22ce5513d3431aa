import { cleanText } from '../base/clean-text.ts';
import { type FormErrors, formErrors } from '../base/form-errors.ts';
import { placeFault, whatFault } from '../dates/past-form.ts';
import type { Outing } from './outings.ts';

/** What a user writes about an outing. */
export interface OutingWords {
  readonly what: string;
  readonly category: string;
  readonly location: string;
  /** The last attempt to add it: a retry, also after a reload, sends the same body with the same key. */
  readonly attempt?: { readonly key: string; readonly body: string };
}

export const NO_WORDS: OutingWords = { what: '', category: 'Romantic', location: '' };

/** What users write about outings, by the id of one of its photos: more photos may join an outing, and others leave it. */
export type WordsByPhoto = Readonly<Record<string, OutingWords>>;

/** What was written about an outing. */
export function wordsOf({ ids }: Outing, words: WordsByPhoto): OutingWords {
  const id = ids.find((one) => Object.hasOwn(words, one));
  return (id === undefined ? undefined : words[id]) ?? NO_WORDS;
}

/** The words with those of an outing replaced; null takes them out. */
export function withWords(words: WordsByPhoto, { ids }: Outing, next: OutingWords | null): WordsByPhoto {
  const others = Object.entries(words).filter(([id]) => !ids.includes(id));
  const [first] = ids;
  return Object.fromEntries(next === null || first === undefined ? others : [...others, [first, next]]);
}

/** Whether an outing has a title. */
export function isNamed({ what }: OutingWords): boolean {
  return cleanText(what) !== '';
}

/** What is wrong with what was written about an outing that is to become a date. */
export function outingFaults({ what, location }: OutingWords): FormErrors<OutingWords> {
  return formErrors<OutingWords>({ what: whatFault(what), location: placeFault(location) });
}
