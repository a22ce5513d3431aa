import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';

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

it('docs/asvs.md names existing files, and a test for each requirement', () => {
  const rows = readRows('docs/asvs.md');
  expect(rows.length).toBeGreaterThan(40);
  for (const { row, clause, shown } of rows) {
    const tests = [...shown.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
    expect(tests, `a test for: ${clause}`).not.toEqual([]);
    const named = [...row.matchAll(/`([a-z][\w/.-]*\/[\w/.-]*)`/g)].map((match) => match[1] as string);
    const missing = named.filter((path) => !existsSync(fullPath(path)));
    expect(missing, `missing files in: ${clause}`).toEqual([]);
  }
});
