import { expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

it('a password must not be a common one, in any case', { tags: ['accounts.signin.2'] }, () => {
  expect(['password123', 'Password123', 'QWERTYUIOP', '1q2w3e4r5t'].map(isCommonPassword)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(isCommonPassword('Our Love Story')).toBe(true);
  expect(isCommonPassword('a quiet evening at home')).toBe(false);
});
