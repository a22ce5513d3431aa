import { expect, it } from 'vitest';
import { repeatOrMake } from './repeatable-request.ts';

it('repeats the last request to the letter for the same words, and makes another one for others', () => {
  const first = repeatOrMake(undefined, { what: 'A swim' }, () => 'the first body');
  expect(repeatOrMake(first, { what: 'A swim' }, () => 'another body')).toBe(first);
  const other = repeatOrMake(first, { what: 'Two swims' }, () => 'another body');
  expect(other.body).toBe('another body');
  expect(other.key).not.toBe(first.key);
});
