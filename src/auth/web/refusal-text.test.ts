import { describe, expect, it } from 'vitest';
import { ApiError } from '../../base/web/net/api-error.ts';
import { refusalText } from './refusal-text.ts';

describe('the text of a refusal', () => {
  it('says how long to wait after too many tries', () => {
    expect(refusalText(new ApiError(429, 'Too many attempts.', [], 61))).toBe(
      'Too many attempts. Please wait 2 minutes, then try again.',
    );
    expect(refusalText(new ApiError(429, 'Too many attempts.', [], 3))).toBe(
      'Too many attempts. Please wait 1 minute, then try again.',
    );
    expect(refusalText(new ApiError(429, 'Please try again tomorrow.', [], 70_000))).toBe('Please try again tomorrow.');
    expect(refusalText(new ApiError(401, 'Wrong email or password.'))).toBe('Wrong email or password.');
  });
});
