import { describe, expect, it } from 'vitest';
import { parseSource, readSources } from '../../scripts/lib/parse-source.ts';
import { root } from '../../scripts/lib/root.ts';
import { sizeFaults } from './size-faults.ts';

/** What is said of these files. */
function judge(files: Readonly<Record<string, string>>): string[] {
  return sizeFaults(Object.entries(files).map(([path, text]) => parseSource(path, text)));
}

const lines = (count: number) => 'x();\n'.repeat(count);

it('no file or function of src is too long, and no folder of base too full', () => {
  expect(sizeFaults(readSources(root))).toEqual([]);
});

describe('the check of sizes', () => {
  it('finds files of more than 300 lines, but not those of data', () => {
    expect(judge({ 'src/ideas/rules.ts': lines(300) })).toEqual([]);
    expect(judge({ 'src/ideas/rules.ts': lines(301) })).toEqual(['src/ideas/rules.ts: 301 lines, more than 300']);
    expect(judge({ 'src/ideas/suggestions.ts': lines(301) })).toEqual([]);
  });

  it('finds functions of more than 80 lines', () => {
    const longest = `export const run = () => {\n${lines(78)}};\n`;
    expect(judge({ 'src/ideas/rules.ts': longest })).toEqual([]);
    expect(judge({ 'src/ideas/rules.ts': longest.replace('x();', 'x();\ny();') })).toEqual([
      'src/ideas/rules.ts:1: a function of 81 lines, more than 80',
    ]);
  });

  it('finds folders of base with more than twenty files', () => {
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/base/server/db/file-${n}.ts`, '']));
    expect(judge(files(20))).toEqual([]);
    expect(judge(files(21))).toEqual(['src/base/server/db: 21 files, more than 20']);
  });
});
