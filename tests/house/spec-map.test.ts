import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it('the map of promises names files that are there, and a test for each promise', () => {
  const rows = readFileSync(join(root, 'docs/spec-map.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|\s*(clause|-)/.test(line) && !line.startsWith('|---'));
  expect(rows.length).toBeGreaterThan(40);
  for (const row of rows) {
    const [, clause, , shown] = row.split(/(?<!\\)\|/);
    const tests = [...(shown ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
    expect(tests, `a test for: ${clause}`).not.toEqual([]);
    const named = [...row.matchAll(/`([a-z][\w/.-]*\/[\w/.-]*)`/g)].map((match) => match[1] as string);
    const missing = named.filter((path) => !existsSync(join(root, path.startsWith('tests/') ? path : `src/${path}`)));
    expect(missing, `files that are there, in: ${clause}`).toEqual([]);
  }
});
