import { describe, expect, it } from 'vitest';
import { accountFaults } from './account-form.ts';

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
