import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';

const IGNORED = new Set(['node_modules', '.git', 'dist', 'data', '.cache', 'package-lock.json']);

/** All text files of the project except the lock file. */
const texts = readdirSync(root, { withFileTypes: true })
  .filter(({ name }) => !IGNORED.has(name))
  .flatMap((top) => (top.isDirectory() ? filesIn(top.name) : [top.name]))
  .filter((path) => /\.(ts|tsx|mjs|css|html|json|md|svg|yml)$|^\.[^/]+$|^\.ci\//.test(path))
  .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n') }));

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** All matches of a pattern, as `path:line text`. Brackets in the patterns prevent them from matching themselves. */
function findMatches(pattern: RegExp, inside: RegExp = /./): string[] {
  return texts
    .filter(({ path }) => inside.test(path))
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
}

it('reads the whole project', () => {
  expect(texts.map(({ path }) => path)).toEqual(expect.arrayContaining(['package.json', 'src/app/server/main.ts']));
});

it('finds no path of a developer’s machine', () => {
  expect(findMatches(/(?<![\w.@)}*-])\/(?:roo[t]|wor[k]|workspac[e])(?![\w-])/)).toEqual([]);
  expect(findMatches(/\.\.\/share[d]\b/)).toEqual([]);
});

it('finds no reference to a text that is not in the repository', () => {
  expect(findMatches(/\b(?:contrac[t]|issu[e])s? \d|\(issu[e]:/, /^(?!CHANGELOG)/)).toEqual([]);
  expect(findMatches(/\b(?:spe[c]|specificatio[n])\b(?!:)/i, /\.(ts|tsx|css|md)$/)).toEqual([]);
});

it('finds no open to-dos and no suppressed warnings', () => {
  const code = /\.(ts|tsx|mjs|css)$/;
  expect(findMatches(/\b(TO[D]O|FIX[M]E|XX[X])\b/)).toEqual([]);
  expect(findMatches(/@ts-(ignor[e]|expect-erro[r]|nochec[k])|(es|ox)lint-disabl[e]|biome-ignor[e]/, code)).toEqual([]);
});

it('finds no skipped tests and no fixed waits', () => {
  const tests = /\.test\.tsx?$|^tests\//;
  expect(findMatches(/\b(it|test|describe)\.(onl[y]|ski[p]|tod[o]|fail[s])\b/, tests)).toEqual([]);
  expect(findMatches(/waitForTimeou[t]/, tests)).toEqual([]);
});

it('finds no stilted word in code and documents', () => {
  const stilted =
    /\b(?:whenc[e]|ane[w]|thereb[y]|hears o[f]|says o[f] (?:it|the|its)|the own not[e]|none of our[s]|where(?:of|i[n])|hithert[o])\b/;
  expect(findMatches(stilted, /^(?:src|tests|scripts|docs)\/|^(?:README|CONTRIBUTING)\.md$/)).toEqual([]);
});
