import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';

const MAX_WORDS = 300;
/** The first lines: what was decided, when, and whether it still holds. */
const HEAD = /^# (\d+)\. \S.*\n\nDate: \d{4}-\d\d-\d\d\. Status: (?:stands|replaced by decision \d+)\.\n\n/;

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const decisions = globSync('docs/decisions/*.md', { cwd: root }).map((path) => ({
  path,
  number: Number(/^\d+/.exec(basename(path))?.[0]),
  text: read(path),
}));

function countWords(text: string): number {
  return text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
}

it('each decision begins with its number, its title, its date and its status', () => {
  const wrong = decisions.filter(({ number, text }) => Number(HEAD.exec(text)?.[1]) !== number);
  expect(wrong.map(({ path }) => path)).toEqual([]);
  expect(decisions.length).toBeGreaterThan(20);
});

it(`each decision has at most ${MAX_WORDS} words`, () => {
  const long = decisions.filter(({ text }) => countWords(text) > MAX_WORDS);
  expect(long.map(({ path, text }) => `${path}: ${countWords(text)}`)).toEqual([]);
});

it('no two decisions have one number, and every decision that a text names exists', () => {
  const numbers = new Set(decisions.map(({ number }) => number));
  expect(numbers.size).toBe(decisions.length);
  const texts = globSync(['*.md', 'vite.config.ts', '{docs,src,tests,scripts,deploy}/**/*.{md,ts,tsx,mjs,css}'], {
    cwd: root,
  });
  const unknown = texts.flatMap((path) =>
    [...read(path).matchAll(/\bdecisions? (\d+)(?: and (\d+))?/gi)]
      .flatMap(([, first, second]) => [first, second])
      .filter((number) => number !== undefined && !numbers.has(Number(number)))
      .map((number) => `${path}: decision ${number}`),
  );
  expect(unknown).toEqual([]);
});
