import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';

const sheets = globSync('src/**/*.css', { cwd: root }).map((path) => ({
  path,
  css: readFileSync(join(root, path), 'utf8').replaceAll(/\/\*[^]*?\*\//g, ''),
}));

/** Returns the paths of the stylesheets that contain a pattern. */
function containing(pattern: RegExp): readonly string[] {
  return sheets.filter(({ css }) => pattern.test(css)).map(({ path }) => path);
}

it('every repeating gradient is interpolated in sRGB: Firefox draws hard stops between oklch() colors as wide bands', {
  tags: ['screens.browsers.5'],
}, () => {
  expect(sheets.length).toBeGreaterThan(50);
  const gradient = /repeating-\w+-gradient\(\s*(?!\s|(?:to \w+\s+)?in srgb\b)/;
  expect(containing(gradient)).toEqual([]);
  expect(gradient.test('repeating-linear-gradient(to right, red 0 1px, blue 1px 2px)')).toBe(true);
});

it('no title is hyphenated: some browsers know the rules of English, others do not', {
  tags: ['screens.browsers.5'],
}, () => {
  expect(containing(/\bhyphens:\s*auto/)).toEqual([]);
});

it('what is fixed to an edge of the screen keeps clear of notches and rounded corners', {
  tags: ['screens.browsers.6'],
}, () => {
  const fixed = containing(/position:\s*fixed/);
  expect(fixed.length).toBeGreaterThan(4);
  const safe = new Set(containing(/env\(safe-area-inset/));
  // The hearts only decorate the margins.
  expect(fixed.filter((path) => !safe.has(path) && !path.endsWith('floating-hearts.module.css'))).toEqual([]);
});

it('zooming with two fingers works everywhere, and no height assumes that the address bar is hidden', {
  tags: ['screens.browsers.6'],
}, () => {
  expect(containing(/touch-action:\s*none|\b100vh\b/)).toEqual([]);
  const document = readFileSync(join(root, 'src/app/web/index.html'), 'utf8');
  expect(document).toContain('width=device-width');
  expect(document).not.toMatch(/maximum-scale|minimum-scale|user-scalable/);
});

it('a select clips a long option, which WebKit draws over its edge', { tags: ['screens.browsers.5'] }, () => {
  const rule = /\bselect\s*\{[^}]*appearance:\s*none;[^}]*\}/;
  const drawn = sheets.flatMap(({ css }) => rule.exec(css)?.[0] ?? []);
  expect(drawn.length).toBeGreaterThan(0);
  for (const one of drawn) expect(one).toMatch(/overflow:\s*(?:clip|hidden)/);
});

it('no style of the whole page depends on what is in it: each change of the document would style all of it again', () => {
  const printed = /@media print\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g;
  const root = /(?:html|body|#root)[^\s{]*:has\(/;
  expect(sheets.filter(({ css }) => root.test(css.replaceAll(printed, ''))).map(({ path }) => path)).toEqual([]);
  expect(containing(root).length).toBeGreaterThan(0);
});
