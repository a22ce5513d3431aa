import { expect, it } from 'vitest';
import { judge } from './ledger.ts';

const asked = (mark: string, made: 'acknowledged' | 'refused' | 'unknown', deleted = null) => ({ mark, made, deleted });

it('is content with what was acknowledged, and with what may have happened', () => {
  expect(judge([asked('a', 'acknowledged'), asked('b', 'refused'), asked('c', 'unknown')], ['a'])).toEqual([]);
  expect(judge([asked('c', 'unknown')], ['c'])).toEqual([]);
  expect(judge([{ mark: 'd', made: 'acknowledged', deleted: 'unknown' }], ['d'])).toEqual([]);
  expect(judge([{ mark: 'd', made: 'acknowledged', deleted: 'acknowledged' }], [])).toEqual([]);
});

it.each([
  ['lost', [asked('a', 'acknowledged')], []],
  ['twice', [asked('a', 'unknown')], ['a', 'a']],
  ['refused and there', [asked('a', 'refused')], ['a']],
  ['invented', [], ['a']],
  ['deleted and there', [{ mark: 'a', made: 'acknowledged' as const, deleted: 'acknowledged' as const }], ['a']],
  ['lost by a refused deletion', [{ mark: 'a', made: 'acknowledged' as const, deleted: 'refused' as const }], []],
])('finds out what is %s', (_what, ledger, there) => {
  expect(judge(ledger, there)).toHaveLength(1);
});
