import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../base/durations.ts';
import { addAttempt } from './add-attempt.ts';
import { authLimits } from './rules.ts';

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
