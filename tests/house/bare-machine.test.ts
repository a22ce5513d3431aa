import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseSource } from '../../scripts/lib/parse-source.ts';
import { root } from '../../scripts/lib/root.ts';

/** The commands that must work without Ceph, PostgreSQL and a browser, and the tests that `npm run check` runs. */
const STARTS = [
  'scripts/{check,dev}.ts',
  'src/*.test.ts',
  'src/*/*.test.ts',
  'src/*/{web,worker}/**/*.test.ts',
  'tests/house/**/*.test.ts',
  'scripts/**/*.test.ts',
];

/** What starts these programs, or installs them. */
const STARTERS = [
  'scripts/lib/provision.ts',
  'scripts/lib/local-services.ts',
  'tests/support/ceph.ts',
  'tests/support/chromium.ts',
  'tests/support/cluster/cluster.ts',
  'tests/support/postgres.ts',
  'tests/support/test-services.ts',
  'tests/support/test-storage.ts',
];

it('npm run check and npm run dev load nothing that starts Ceph, PostgreSQL or a browser', {
  tags: ['running.repository.2'],
}, () => {
  expect(STARTERS.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  /** Each loaded file, with the files that lead to it. */
  const chains = new Map<string, string>();
  const queue: [path: string, from: string][] = globSync(STARTS, { cwd: root }).map((path) => [
    path.replaceAll('\\', '/'),
    '',
  ]);
  expect(queue.length).toBeGreaterThan(50);
  for (const [path, from] of queue) {
    if (chains.has(path) || !/\.tsx?$/.test(path) || !existsSync(join(root, path))) continue;
    const chain = from === '' ? path : `${from} → ${path}`;
    chains.set(path, chain);
    const { imports } = parseSource(path, readFileSync(join(root, path), 'utf8'));
    for (const { relative, typeOnly, target } of imports) if (relative && !typeOnly) queue.push([target, chain]);
  }
  expect(STARTERS.flatMap((path) => chains.get(path) ?? [])).toEqual([]);
});
