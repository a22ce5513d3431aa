import { cleanText, hasForbiddenCharacter } from '../base/clean-text.ts';
import { splitLinks } from '../base/links.ts';

/** What another app shares, besides files. Each may be blank. */
export interface SharedText {
  readonly title: string;
  readonly text: string;
  readonly url: string;
}

/** The title and the description of an idea. */
interface SharedIdea {
  readonly title: string;
  readonly description: string;
}

/**
 * Turns what another app shares into a new idea (ideas.form.16). Without a title, the first line that is not an address
 * alone is the title, or else the host of the address.
 */
export function ideaOfShare(shared: SharedText): SharedIdea {
  const [title = '', text = '', url = ''] = [shared.title, shared.text, shared.url].map((part) =>
    hasForbiddenCharacter(part) ? '' : cleanText(part),
  );
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (url !== '' && !text.includes(url)) lines.push(url);
  if (title !== '') return { title, description: lines.filter((line) => line !== title).join('\n') };
  const [first = ''] = lines;
  const [only, ...more] = splitLinks(first.trim());
  if (only !== undefined && typeof only !== 'string' && more.length === 0) {
    return { title: only.host, description: lines.join('\n') };
  }
  return { title: first, description: lines.slice(1).join('\n') };
}
