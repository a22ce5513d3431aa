import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Source } from '../../scripts/lib/parse-source.ts';
import { root } from '../../scripts/lib/root.ts';

/** Kinds of files that are named after what they hold, and not after one export. */
const KIND = /(^|-)(contract|rules|store|queries|routes|api|index|main|schema|texts?|tables)$/;

/** What has a name that misleads in these files, one line each. Tests are left out. */
export function nameFaults(sources: readonly Source[], globals = globalNames()): string[] {
  const own = sources.filter(({ path }) => !/\.(test|d)\.tsx?$/.test(path));
  const alone = own.flatMap((source) => [
    ...platformNames(source, globals),
    ...unlikeItsFile(source),
    ...oddQuestions(source),
  ]);
  return [...alone, ...namesTwice(own)];
}

/** The names that the browser, a worker and Node give to every file. */
function globalNames(): ReadonlySet<string> {
  const libraries = globSync('node_modules/@typescript/typescript-*/lib/lib.{dom,webworker}.d.ts', { cwd: root });
  if (libraries.length === 0) throw new Error('TypeScript’s library files are missing');
  const declared = libraries.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/^(?:interface|type|declare (?:var|function)) (\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  );
  return new Set([...Object.getOwnPropertyNames(globalThis), ...declared]);
}

function platformNames({ path, exports }: Source, globals: ReadonlySet<string>): string[] {
  return exports
    .filter(({ name }) => globals.has(name))
    .map(({ name, line }) => `${path}:${line}: '${name}' is a name of the platform`);
}

/** A file shares a word with what it exports, in any of their forms. */
function unlikeItsFile({ path, exports }: Source): string[] {
  const file = basename(path).replace(/\.tsx?$/, '');
  const names = exports.map(({ name }) => name).filter((name) => name !== 'default');
  if (names.length === 0 || KIND.test(file) || path.includes('/migrations/')) return [];
  const words = names.flatMap(wordsOf);
  const isNamed = wordsOf(file).some((word) => words.some((other) => isSameWord(word, other)));
  const squashed = file.replaceAll('-', '');
  return isNamed || names.some((name) => name.toLowerCase().includes(squashed))
    ? []
    : [`${path}: its name says nothing of ${names.join(', ')}`];
}

function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

/**
 * Whether one word begins like the other, up to the last three letters of the shorter: 'compatible' and 'compatibility',
 * 'file' and 'files'. Three letters are always enough, so short words may pass that differ, as 'form' and 'format'.
 */
function isSameWord(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  const length = Math.max(Math.min(3, shorter), shorter - 3);
  return a.slice(0, length) === b.slice(0, length);
}

/** Actions that return whether they did something. */
const ACTIONS = new Set(['takeWrapped']);

/** An exported function that answers yes or no is named as a question. A hook begins with 'use'. */
function oddQuestions({ path, exports, questions }: Source): string[] {
  return exports
    .filter(({ name }) => questions.includes(name) && !ACTIONS.has(name) && !/^(is|has|can|use)[A-Z]/.test(name))
    .map(({ name, line }) => `${path}:${line}: '${name}' answers yes or no, and begins with none of is, has, can`);
}

/** A name that two files export, one line each. Names that are only passed on are left out. */
export function namesTwice(sources: readonly Source[]): string[] {
  const places = sources.flatMap(({ path, exports }) =>
    exports.map(({ name, line }) => ({ name, at: `${path}:${line}` })),
  );
  return [...Map.groupBy(places, ({ name }) => name)]
    .filter(([, found]) => new Set(found.map(({ at }) => at.replace(/:\d+$/, ''))).size > 1)
    .map(([name, found]) => `'${name}' is exported by ${found.map(({ at }) => at).join(' and ')}`);
}
