import { expect, it } from 'vitest';
import { findBrokenRecords } from './ledger.ts';

const entry = (label: string, created: 'acknowledged' | 'refused' | 'unknown', deleted = null) => ({
  label,
  created,
  deleted,
});

it('accepts what was acknowledged and what may have happened', { tags: ['durability.stored.10'] }, () => {
  expect(findBrokenRecords([entry('a', 'acknowledged'), entry('b', 'refused'), entry('c', 'unknown')], ['a'])).toEqual(
    [],
  );
  expect(findBrokenRecords([entry('c', 'unknown')], ['c'])).toEqual([]);
  expect(findBrokenRecords([{ label: 'd', created: 'acknowledged', deleted: 'unknown' }], ['d'])).toEqual([]);
  expect(findBrokenRecords([{ label: 'd', created: 'acknowledged', deleted: 'acknowledged' }], [])).toEqual([]);
});

it.each([
  ['is missing', [entry('a', 'acknowledged')], []],
  ['exists twice', [entry('a', 'unknown')], ['a', 'a']],
  ['was refused but exists', [entry('a', 'refused')], ['a']],
  ['was never requested', [], ['a']],
  [
    'was deleted but exists',
    [{ label: 'a', created: 'acknowledged' as const, deleted: 'acknowledged' as const }],
    ['a'],
  ],
  [
    'is missing after a refused deletion',
    [{ label: 'a', created: 'acknowledged' as const, deleted: 'refused' as const }],
    [],
  ],
])('finds a record that %s', { tags: ['durability.stored.10'] }, (_fault, entries, stored) => {
  expect(findBrokenRecords(entries, stored)).toHaveLength(1);
});
