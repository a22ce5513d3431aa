import { expect, it } from 'vitest';
import { repeatOrMake } from './repeatable-request.ts';

it('repeats the last request to the letter for the same words, and makes another one for others', () => {
  const first = repeatOrMake(undefined, { what: 'A swim' }, 'a key', () => 'the first body');
  expect(repeatOrMake(first, { what: 'A swim' }, 'another key', () => 'another body')).toBe(first);
  const other = repeatOrMake(first, { what: 'Two swims' }, 'another key', () => 'another body');
  expect(other).toMatchObject({ body: 'another body', key: 'another key' });
});
