import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../base/time.ts';
import { isCommonPassword } from './common-passwords.ts';
import { addAttempt, authLimits, emailKey, isEmail, passwordFault, sessionEnd } from './rules.ts';

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

  it('must not be a common password, in any case', { tags: ['accounts.signin.2'] }, () => {
    expect(['password123', 'Password123', 'QWERTYUIOP', '1q2w3e4r5t'].map(isCommonPassword)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(isCommonPassword('Our Love Story')).toBe(true);
    expect(isCommonPassword('a quiet evening at home')).toBe(false);
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

describe('the rate limit', () => {
  /** Makes attempts at these times in order. Returns for each whether it was allowed. */
  const run = (moments: readonly number[], limit?: number): boolean[] => {
    let times: readonly number[] = [];
    return moments.map((at) => {
      const next = addAttempt(times, at, limit);
      if (next.times !== null) times = next.times;
      return next.times !== null;
    });
  };

  it('allows ten attempts in fifteen minutes, and another one once the first has expired', () => {
    const ten = Array.from({ length: 10 }, (_, i) => i * MINUTE);
    expect(run([...ten, 10 * MINUTE, 15 * MINUTE - 1, 15 * MINUTE, 15 * MINUTE])).toEqual([
      ...ten.map(() => true),
      false,
      false,
      true,
      false,
    ]);
  });

  it('reports how long to wait', () => {
    const ten = Array.from({ length: 10 }, (_, i) => i * MINUTE);
    expect(addAttempt(ten, 10 * MINUTE)).toEqual({ wait: 5 * MINUTE, times: null });
  });

  it('ignores attempts of a clock that was wrong', { tags: ['durability.store.6'] }, () => {
    const ten = Array.from({ length: 10 }, (_, i) => 40 * DAY + i);
    expect(addAttempt(ten, 0)).toEqual({ wait: 0, times: [0] });
  });

  it('never allows more than ten attempts in any fifteen minutes, and always allows fewer', () => {
    const moments = fc.array(fc.nat(30 * MINUTE), { maxLength: 80 }).map((list) => list.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(moments, (list) => {
        const free = run(list);
        const passed = list.filter((_, i) => free[i]);
        const within = (at: number, before: number) =>
          passed.slice(0, before).filter((time) => time > at - authLimits.triesWindow).length;
        let count = 0;
        list.forEach((at, i) => {
          expect(free[i]).toBe(within(at, count) < authLimits.tries);
          if (free[i]) count += 1;
        });
      }),
    );
  });

  it('allows an attempt exactly when the reported wait is over', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(20 * MINUTE), { minLength: 10, maxLength: 30 }),
        fc.nat(20 * MINUTE),
        (list, more) => {
          const times = list.toSorted((a, b) => a - b);
          const now = (times.at(-1) ?? 0) + more;
          const { wait } = addAttempt(times, now);
          if (wait === 0) return;
          expect(addAttempt(times, now + wait).wait).toBe(0);
          expect(addAttempt(times, now + wait - 1).wait).toBe(1);
        },
      ),
    );
  });
});
