import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/tools.ts';
import { testTitles } from '../support/test-titles.ts';

const fullPath = (path: string) => join(root, /^(tests|scripts)\//.test(path) ? path : `src/${path}`);

/** The rows of a document's tables: the requirement, and the cell that names its tests. */
function readRows(map: string): { row: string; clause: string; shown: string }[] {
  const [kept = ''] = readFileSync(join(root, map), 'utf8').split('## Left out on purpose');
  return kept
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|\s*(clause|requirement|-)/.test(line) && !line.startsWith('|---'))
    .map((row) => {
      const [, clause = '', , shown = ''] = row.split(/(?<!\\)\|/);
      return { row, clause: clause.trim(), shown };
    });
}

/** The test files that a cell names, each with the titles after it: `a.test.ts` "one title", "another \"title\"" */
function readReferences(cell: string): { path: string; titles: string[] }[] {
  const references = cell.matchAll(/`([^`]+\.test\.tsx?)`((?:[\s,;:]*"(?:\\.|[^"\\])*")*)/g);
  return Array.from(references, ([, path = '', titles = '']) => ({
    path,
    titles: Array.from(titles.matchAll(/"((?:\\.|[^"\\])*)"/g), ([, title = '']) => title.replaceAll(/\\(.)/g, '$1')),
  }));
}

it.each(['docs/spec-map.md', 'docs/asvs.md'])('%s names existing files, and a test for each requirement', (map) => {
  const rows = readRows(map);
  expect(rows.length).toBeGreaterThan(40);
  for (const { row, clause, shown } of rows) {
    const tests = [...shown.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
    expect(tests, `a test for: ${clause}`).not.toEqual([]);
    const named = [...row.matchAll(/`([a-z][\w/.-]*\/[\w/.-]*)`/g)].map((match) => match[1] as string);
    const missing = named.filter((path) => !existsSync(fullPath(path)));
    expect(missing, `missing files in: ${clause}`).toEqual([]);
  }
});

it('docs/spec-map.md names existing tests of each test file', () => {
  const wrong: string[] = [];
  const titlesByFile = new Map<string, ReadonlySet<string>>();
  for (const { clause, shown } of readRows('docs/spec-map.md')) {
    for (const { path, titles } of readReferences(shown)) {
      if (titles.length === 0) wrong.push(`${clause}: no title in double quotes after ${path}`);
      const there = titlesByFile.get(path) ?? testTitles(fullPath(path));
      titlesByFile.set(path, there);
      for (const title of titles) if (!there.has(title)) wrong.push(`${clause}: ${path} has no test "${title}"`);
    }
  }
  expect(wrong).toEqual([]);
});
