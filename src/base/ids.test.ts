import { expect, it } from 'vitest';
import { isId } from './ids.ts';

it('recognizes ids', () => {
  expect(isId('0199a2b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b')).toBe(true);
  for (const bad of ['', '1', '0199a2b4-5c6d-4e8f-9a0b-1c2d3e4f5a6b', "x' or '1'='1", undefined])
    expect(isId(bad)).toBe(false);
});
