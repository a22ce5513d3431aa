import { describe, expect, it } from 'vitest';
import { ApiError } from '../../base/web/net/api-error.ts';
import { showRefusal } from './show-refusal.ts';

interface Names {
  displayName: string;
  email: string;
}

describe('a refusal', () => {
  it('is shown at the fields it names and focuses the first, or else above the form', () => {
    const placed: unknown[] = [];
    const at = (field: string, error: unknown, options: unknown) => placed.push([field, error, options]);
    const taken = new ApiError(409, 'Taken.', [{ field: 'email', message: 'Taken.' }]);
    expect(showRefusal<Names>(taken, ['displayName', 'email'], at)).toBe('');
    expect(placed).toEqual([['email', { type: 'server', message: 'Taken.' }, { shouldFocus: true }]]);
    expect(showRefusal<Names>(taken, ['displayName'], at)).toBe('Taken.');
    expect(showRefusal<Names>(new TypeError('broken'), [], at)).toBe('broken');
  });
});
