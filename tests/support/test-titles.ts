import { readFileSync } from 'node:fs';
import { type ESTree, parseSync, Visitor } from 'vite';

const GROUPS_AND_TESTS = new Set(['it', 'test', 'describe', 'describeOnBoth']);

/** The titles of the tests and groups in a file. `…` replaces the expressions in template literals. */
export function testTitles(path: string): Set<string> {
  const titles = new Set<string>();
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      if (!first || !GROUPS_AND_TESTS.has(rootName(callee))) return;
      if (first.type === 'Literal' && typeof first.value === 'string') titles.add(first.value);
      if (first.type === 'TemplateLiteral') titles.add(first.quasis.map(({ value }) => value.cooked ?? '').join('…'));
    },
  }).visit(parseSync(path, readFileSync(path, 'utf8')).program);
  return titles;
}

/** `it` of `it`, `it.skipIf(…)` and `it.each([…])`. */
function rootName(callee: ESTree.Node): string {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return rootName(callee.object);
  return callee.type === 'CallExpression' ? rootName(callee.callee) : '';
}
