import { existsSync, readFileSync } from 'node:fs';
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

/** The owners in a cell: a list of '`path`' and '`name`, `name` in `path`'. */
function ownersOf(cell: string): { readonly names: readonly string[]; readonly path: string }[] {
  const items = [
    ...cell.matchAll(/(?:((?:`[^`.]+`, )*`[^`.]+`) in )?`([\w.-]+\.(?:tsx?|md)|[\w-]+(?:\/[\w.-]+)+)`(?:, |$)/g),
  ];
  if (items.map(([item]) => item).join('') !== cell) throw new Error(`not a list of paths and names in paths: ${cell}`);
  return items.map(([, names = '', path = '']) => ({
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    path,
  }));
}

it('the owners of its words exist: files, folders, and what a file declares', () => {
  const lost = rows.flatMap(({ owner }) =>
    ownersOf(owner).flatMap(({ names, path }) => {
      const found = [join(root, 'src', path), join(root, path)].find((place) => existsSync(place));
      if (found === undefined) return [path];
      const text = names.length === 0 ? '' : readFileSync(found, 'utf8').replaceAll(/^import [^;]*;$/gm, '');
      return names
        .filter((name) => !new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`).test(text))
        .map((name) => `${name} in ${path}`);
    }),
  );
  expect(lost).toEqual([]);
});
