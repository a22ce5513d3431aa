import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/root.ts';

/** The host name in the texts of `docs/operating.md`. It needs no substitution: clients are told where it is. */
export const HOST = 'our.example.org';
/** The address that people open, without the port on which a test's proxy really listens. */
export const SITE = `https://${HOST}`;

/**
 * Returns a code block of `docs/operating.md`, word for word.
 * @param language the word after the block's opening fence
 * @param mark a text that only this block contains
 * @throws if not exactly one block fits, because a test of another text would prove nothing
 */
export function operatingText(language: string, mark: string): string {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8');
  const blocks = Array.from(page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm), ([, name = '', text = '']) => ({
    name,
    text,
  }));
  const [block, ...more] = blocks.filter(({ name, text }) => name === language && text.includes(mark));
  if (!block || more.length > 0)
    throw new Error(`docs/operating.md needs exactly one ${language} block with '${mark}'`);
  return block.text;
}

/**
 * Replaces each text, all its occurrences, by another one.
 * @throws if a text does not occur: the page has changed, and what replaces it has to follow
 */
export function substitute(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`'${from}' is not in:\n${text}`);
    return result.replaceAll(from, to);
  }, text);
}
