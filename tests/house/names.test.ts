import { describe, expect, it } from 'vitest';
import { parseSource, readSources } from '../../scripts/lib/parse-source.ts';
import { root } from '../../scripts/lib/root.ts';
import { nameFaults, namesTwice } from './name-faults.ts';

/** What is said of the names in a file. */
function judge(path: string, text: string): string[] {
  return nameFaults([parseSource(path, text)]);
}

it.each(['src', 'scripts'])('the names of %s follow the rules', (folder) => {
  expect(nameFaults(readSources(root, folder))).toEqual([]);
});

it('no two files of tests export the same name', () => {
  expect(namesTwice(readSources(root, 'tests'))).toEqual([]);
});

describe('the check of names', () => {
  it('finds names of the platform', () => {
    expect(judge('src/base/navigation.ts', 'export class Navigation {}')).toEqual([
      "src/base/navigation.ts:1: 'Navigation' is a name of the platform",
    ]);
    expect(judge('src/base/app-navigation.ts', 'export class AppNavigation {}')).toEqual([]);
  });

  it('finds files that are not named after an export, but for kinds such as a store', () => {
    expect(judge('src/base/retention.ts', 'export function oldest() {}')).toEqual([
      'src/base/retention.ts: its name says nothing of oldest',
    ]);
    expect(judge('src/base/old-backups.ts', 'export function oldest() {}')).toEqual([]);
    expect(judge('src/base/backup-store.ts', 'export function oldest() {}')).toEqual([]);
  });

  it('finds questions that do not read as one', () => {
    const text = (name: string) => `export function ${name}(): boolean { return true; }`;
    expect(judge('src/base/digest.ts', text('sameDigest'))).toEqual([
      "src/base/digest.ts:1: 'sameDigest' answers yes or no, and begins with none of is, has, can",
    ]);
    expect(judge('src/base/digest.ts', text('isSameDigest'))).toEqual([]);
    expect(judge('src/base/use-digest.ts', text('useDigest'))).toEqual([]);
  });

  it('finds names that two files export, types and renamed ones too, but not those that are passed on', () => {
    const twice = (b: string) =>
      namesTwice([
        parseSource('src/ideas/a.ts', 'export interface Idea {}\nexport const b = 1;'),
        parseSource('src/ideas/b.ts', b),
      ]);
    expect(twice('export type Idea = 1;')).toEqual(["'Idea' is exported by src/ideas/a.ts:1 and src/ideas/b.ts:1"]);
    expect(twice('const c = 1;\nexport { c as b };')).toHaveLength(1);
    expect(twice("export { b } from './a.ts';")).toEqual([]);
  });
});
