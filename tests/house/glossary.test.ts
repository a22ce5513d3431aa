import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';

/** The rows of the glossary: the words that a row explains, and its owner. */
const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!word|---)/.test(line))
  .map((line) => {
    const [, word = '', , owner = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { words: word.split(', '), owner };
  });

it('the glossary explains each word once', () => {
  expect(rows.length).toBeGreaterThan(90);
  const words = rows.flatMap((row) => row.words.map((word) => word.toLowerCase()));
  expect(words.filter((word, n) => words.indexOf(word) !== n)).toEqual([]);
});

it('each name that owns a word of the glossary stands in its file', () => {
  const lost = rows.flatMap(({ owner }) =>
    [...owner.matchAll(/((?:`\w+`(?:, )?)+) in `([\w./-]+)`/g)].flatMap(([, names = '', path = '']) => {
      const text = readFileSync(join(root, 'src', path), 'utf8');
      return [...names.matchAll(/`(\w+)`/g)].flatMap(([, name = '']) =>
        new RegExp(`\\b${name}\\b`).test(text) ? [] : [`${name} in ${path}`],
      );
    }),
  );
  expect(lost).toEqual([]);
});
