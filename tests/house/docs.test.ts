import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';

const files = globSync('{src,tests,scripts,docs}/**/*.*', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
const folders = new Set(files.flatMap((path) => [dirname(path), `${dirname(path)}/`]));

/** The paths of files and folders that a document names in backticks. */
function namedPaths(text: string): string[] {
  const quoted = [...text.matchAll(/`(\w[\w./-]*)`/g)].map(([, path = '']) => path);
  return quoted.filter((path) => /\.(tsx?|mjs|css)$/.test(path) || /^(src|tests|scripts|docs)\//.test(path));
}

/** Whether a path names a file or folder, from the root or from a folder such as `src` or a slice. */
function exists(path: string): boolean {
  return folders.has(path) || files.some((file) => file === path || file.endsWith(`/${path}`));
}

it('README.md lists every slice', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const slices = globSync('src/*/', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  expect(slices).toContain('src/ideas');
  expect(slices.filter((path) => !readme.includes(`${path}/ `))).toEqual([]);
});

it('every file and folder that the documents name exists', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: root })];
  expect(documents.length).toBeGreaterThan(20);
  const missing = documents.flatMap((document) =>
    namedPaths(readFileSync(join(root, document), 'utf8'))
      .filter((path) => !exists(path))
      .map((path) => `${document}: ${path}`),
  );
  expect(missing).toEqual([]);
});

it('docs/operating.md says which test runs each block of commands, or that none does', () => {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```\n(.*)$/gm)];
  expect(blocks.length).toBeGreaterThan(10);
  const unmarked = blocks.filter(([, , next = '']) => !/^\*(Run by `(src|tests|scripts)\/|Not run)/.test(next));
  expect(unmarked.map(([, text]) => text)).toEqual([]);
});
