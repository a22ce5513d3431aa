import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it.each(['docs/spec-map.md', 'docs/asvs.md'])('%s names files that are there, and a test for each promise', (map) => {
  const [kept = ''] = readFileSync(join(root, map), 'utf8').split('## Left out on purpose');
  const rows = kept
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|\s*(clause|requirement|-)/.test(line) && !line.startsWith('|---'));
  expect(rows.length).toBeGreaterThan(40);
  for (const row of rows) {
    const [, clause, , shown] = row.split(/(?<!\\)\|/);
    const tests = [...(shown ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
    expect(tests, `a test for: ${clause}`).not.toEqual([]);
    const named = [...row.matchAll(/`([a-z][\w/.-]*\/[\w/.-]*)`/g)].map((match) => match[1] as string);
    const missing = named.filter(
      (path) => !existsSync(join(root, /^(tests|scripts)\//.test(path) ? path : `src/${path}`)),
    );
    expect(missing, `files that are there, in: ${clause}`).toEqual([]);
  }
});
