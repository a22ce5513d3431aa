import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../base/durations.ts';
import { emailKey, isEmail, passwordFault, sessionEnd } from './rules.ts';

describe('an e-mail', () => {
  it('is trimmed, lowercased and normalized for comparison', () => {
    expect(emailKey(' Ada@Example.ORG ')).toBe('ada@example.org');
    expect(emailKey('Rene\u0301@example.org')).toBe(emailKey('REN\u00c9@example.org'));
  });

  it('is normalized only once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        expect(emailKey(emailKey(raw))).toBe(emailKey(raw));
      }),
    );
  });

  it.each(['ada@example.org', 'ada+us@sub.example.org', 'zoë@exämple.org', 'a@b'])('can be %s', (email) => {
    expect(isEmail(email)).toBe(true);
  });

  it.each([
    '',
    'ada',
    '@example.org',
    'ada@',
    'ada@@example.org',
    'a@b@c',
    'ada @example.org',
    'ada@exam\nple.org',
    'ada@ex\u00a0ample.org',
  ])('cannot be %j', (email) => {
    expect(isEmail(email)).toBe(false);
  });
});

describe('a password', { tags: ['accounts.signin.2'] }, () => {
  it.each([
    ['', 'Password is required'],
    ['123456789', 'Password must be at least 10 characters'],
    ['👩‍👩‍👧', 'Password must be at least 10 characters'],
    ['1234567890', null],
    ['          ', null],
    [' 12345678 ', null],
    ['💜'.repeat(10), null],
    ['💜'.repeat(9), 'Password must be at least 10 characters'],
    ['💜'.repeat(256), null],
    ['a'.repeat(257), 'Password cannot exceed 256 characters'],
  ])('%j: %s', (password, fault) => {
    expect(passwordFault(password)).toBe(fault);
  });

  it('has the same length in every Unicode normalization form', () => {
    expect(passwordFault('e\u0301'.repeat(9))).not.toBeNull();
    expect(passwordFault('e\u0301'.repeat(256))).toBeNull();
  });
});

describe('a session', () => {
  it('ends 30 days after its last use', { tags: ['accounts.sessions.9'] }, () => {
    expect(sessionEnd({ createdAt: 0, lastUsedAt: 10 * DAY })).toBe(40 * DAY);
  });

  it('ends 180 days after its first use at the latest', { tags: ['accounts.sessions.9'] }, () => {
    expect(sessionEnd({ createdAt: 0, lastUsedAt: 179 * DAY })).toBe(180 * DAY);
  });
});
