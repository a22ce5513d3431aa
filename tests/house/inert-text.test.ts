import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';

/** APIs that execute text as markup, code, SQL, or commands. The app needs none of them (ASVS 1.2, 1.3). */
const DANGEROUS =
  /\b(?:dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function|sql\.raw)\b|['"]node:(?:child_process|vm)['"]/;

it('the app never executes text as markup, code, SQL or a command', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((path) => !path.includes('.test.'));
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((path) => DANGEROUS.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
  expect(DANGEROUS.test('<p dangerouslySetInnerHTML={{ __html }} />')).toBe(true);
});
