import { describe, expect, it } from 'vitest';
import {
  instant,
  keptOrClearedInstant,
  keptOrReplacedText,
  optionalInstant,
  optionalText,
  text,
  wholeNumber,
} from './schema.ts';

const messages = (result: { success: boolean; error?: { issues: { message: string }[] } }) =>
  result.success ? [] : (result.error?.issues.map((issue) => issue.message) ?? []);

describe('a required text', { tags: ['wire.values.8', 'wire.values.9'] }, () => {
  const title = text('Title', { min: 3, max: 5 });
  it.each([
    ['ab', ['Title must be at least 3 characters']],
    ['abcdef', ['Title cannot exceed 5 characters']],
    ['   ', ['Title is required']],
    ['\u200b\u200b\u200b', ['Title is required']],
    [undefined, ['Title is required']],
    [null, ['Title is required']],
    [7, ['Title is required']],
    ['a\u0000bc', ['Title contains a character we can’t save']],
    ['💕💕💕💕💕', []],
    ['  abc  ', []],
  ])('%j', (raw, expected) => expect(messages(title.safeParse(raw))).toEqual(expected));
});

it('reads absent, null and blank texts as null', { tags: ['wire.values.5'] }, () => {
  const notes = optionalText('Notes', 5);
  expect([undefined, null, ' \n', ' hi '].map((raw) => notes.parse(raw))).toEqual([null, null, null, 'hi']);
  expect(messages(notes.safeParse('123456'))).toEqual(['Notes cannot exceed 5 characters']);
  expect(messages(notes.safeParse(7))).toEqual(['Notes must be text']);
});

it('distinguishes an absent text from a blank one', () => {
  const notes = keptOrReplacedText('Notes', 5);
  expect([undefined, null, ' ', 'hi'].map((raw) => notes.parse(raw))).toEqual([
    undefined,
    null,
    { text: null },
    { text: 'hi' },
  ]);
});

it('reads instants as milliseconds and rejects impossible ones', () => {
  expect(instant('End time').parse('2026-11-20T20:00:00+01:00')).toBe(Date.parse('2026-11-20T19:00:00Z'));
  expect(optionalInstant('End time').parse('  ')).toBeNull();
  expect(messages(instant('End time').safeParse(''))).toEqual(['End time is required']);
  expect(messages(instant('End time').safeParse('2026-02-30T20:00:00Z'))).toEqual([
    'End time is not a real date and time',
  ]);
});

it('distinguishes an absent instant from a blank one', { tags: ['wire.values.5', 'memories.edit.1'] }, () => {
  const taken = keptOrClearedInstant('Taken');
  expect([undefined, null, ' ', '1970-01-01T00:00:00Z'].map((raw) => taken.parse(raw))).toEqual([
    undefined,
    null,
    null,
    0,
  ]);
  for (const bad of ['yesterday', 7]) {
    expect(messages(taken.safeParse(bad))).toEqual(['Taken is not a real date and time']);
  }
});

it('accepts only whole numbers in their range', () => {
  const count = wholeNumber('count', 1, 500);
  expect(['1', '500'].map((raw) => count.parse(raw))).toEqual([1, 500]);
  for (const bad of ['0', '501', '1.5', '-1', '', 'ten', '1e2']) expect(count.safeParse(bad).success).toBe(false);
});
