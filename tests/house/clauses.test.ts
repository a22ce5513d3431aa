import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findCitations, findTags, readClauses } from '../../scripts/lib/clauses.ts';
import { root } from '../../scripts/lib/root.ts';

const clauses = readClauses(root);
const names = new Set(clauses.map(({ name }) => name));
const pages = new Set(clauses.map(({ name }) => name.split('.')[0] ?? ''));

it('each clause has the name of its page first', () => {
  expect(clauses.length).toBeGreaterThan(400);
  const misplaced = clauses.filter(({ name, page }) => page !== `docs/product/${name.split('.')[0]}.md`);
  expect(misplaced).toEqual([]);
});

it('each clause is shown by a test', () => {
  const shown = new Set(findTags(root).map(({ clause }) => clause));
  expect([...names].filter((name) => !shown.has(name))).toEqual([]);
});

it('each citation and each tag names a clause', () => {
  const lost = [...findCitations(root, pages), ...findTags(root)].filter(({ clause }) => !names.has(clause));
  expect(lost).toEqual([]);
});

it('a clause is at most two lines long', () => {
  expect(clauses.filter(({ text }) => text.length > 300)).toEqual([]);
});

it('the known gaps are one or two sentences each', () => {
  const gaps = readFileSync(join(root, 'docs/product/known-gaps.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  const long = gaps.filter((gap) => (gap.match(/\.(?=\s|$)/g) ?? []).length > 2);
  expect(long).toEqual([]);
});
