import { foldText, memorySearchText } from '../base/search-text.ts';
import { type OptionalTexts, presentTexts } from '../dates/optional-texts.ts';
import { categoryName } from '../ideas/categories.ts';

interface IdeaTexts {
  readonly title: string;
  readonly description: string | null;
  readonly category: string;
}

/** A date as the asker sees it. */
interface DateTexts extends OptionalTexts {
  readonly title: string;
}

interface MemoryTexts {
  readonly caption: string | null;
  readonly originalFileName: string;
}

function hasAll(words: readonly string[], folded: string): boolean {
  return words.length > 0 && words.every((word) => folded.includes(word));
}

function joined(texts: readonly (string | null)[]): string {
  return foldText(texts.filter((text) => text !== null).join('\n'));
}

/** Whether an idea has all words of a search (search.1). @param words of `searchWords` */
export function isIdeaMatch(words: readonly string[], { title, description, category }: IdeaTexts): boolean {
  return hasAll(words, joined([title, description, categoryName(category)]));
}

/** Whether a date has all words of a search. @param notes the two notes, as far as the asker may read them */
export function isDateMatch(words: readonly string[], date: DateTexts, notes: readonly string[]): boolean {
  return hasAll(words, joined([date.title, ...presentTexts(date), ...notes]));
}

/** Whether a memory has all words of a search. */
export function isMemoryMatch(words: readonly string[], memory: MemoryTexts): boolean {
  return hasAll(words, memorySearchText(memory));
}
