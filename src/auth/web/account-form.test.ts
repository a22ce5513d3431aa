import { describe, expect, it } from 'vitest';
import { ApiError } from '../../base/web/net/api-error.ts';
import { accountFaults, refusalText, showRefusal } from './account-form.ts';

const good = { displayName: 'Nora', email: 'nora@lettera.example', password: 'nineteen lemons', setupCode: '' };

describe('the form of a new partner', () => {
  it('accepts what the server accepts', () => {
    expect(accountFaults(good, false)).toEqual({});
    expect(accountFaults({ ...good, displayName: '👩‍👩‍👧'.repeat(12), password: 'é'.repeat(256) }, false)).toEqual({});
  });
  it('reports missing and too long values', () => {
    expect(accountFaults({ displayName: ' ', email: '', password: '', setupCode: ' ' }, true)).toEqual({
      displayName: 'Name is required',
      email: 'Email is required',
      password: 'Password is required',
      setupCode: 'Setup code is required',
    });
    expect(accountFaults({ ...good, displayName: 'n'.repeat(61) }, false)).toEqual({
      displayName: 'Name cannot exceed 60 characters',
    });
    expect(accountFaults({ ...good, email: 'nora at home' }, false)).toEqual({ email: 'This is not an email address' });
  });
  it('requires a setup code only if the server needs one', () => {
    expect(accountFaults({ ...good, setupCode: 'K7' }, true)).toEqual({});
  });
});

describe('a refusal', () => {
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
  it('is shown at the fields it names and focuses the first, or else above the form', () => {
    const placed: unknown[] = [];
    const at = (field: string, error: unknown, options: unknown) => placed.push([field, error, options]);
    const taken = new ApiError(409, 'Taken.', [{ field: 'email', message: 'Taken.' }]);
    expect(showRefusal<typeof good>(taken, ['displayName', 'email'], at)).toBe('');
    expect(placed).toEqual([['email', { type: 'server', message: 'Taken.' }, { shouldFocus: true }]]);
    expect(showRefusal<typeof good>(taken, ['displayName'], at)).toBe('Taken.');
    expect(showRefusal<typeof good>(new TypeError('broken'), [], at)).toBe('broken');
  });
});
