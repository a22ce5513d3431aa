import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNightlyJobDue, scrubBatchSize } from './rules.ts';

const HOUR = 3_600_000;

describe('a nightly job', () => {
  it('is due immediately the first time', () => {
    expect(isNightlyJobDue(null, 0, 15)).toBe(true);
  });

  it('is due once per night', { tags: ['keeping.backup.9'] }, () => {
    const done = Date.parse('2026-11-20T02:10:00Z');
    expect(isNightlyJobDue(done, done + 1 * HOUR, 3)).toBe(false);
    expect(isNightlyJobDue(done, done + 14 * HOUR, 16)).toBe(false);
    expect(isNightlyJobDue(done, done + 24 * HOUR, 2)).toBe(true);
  });

  it('is due during the day if the machine was off at night', { tags: ['keeping.backup.9'] }, () => {
    expect(isNightlyJobDue(0, 30 * HOUR, 9)).toBe(true);
  });

  it('is due if the clock was wrong at the last run', () => {
    expect(isNightlyJobDue(70 * 365 * 24 * HOUR, 0, 15)).toBe(true);
    // A clock set back by an hour doesn't count as wrong.
    expect(isNightlyJobDue(2 * HOUR, 1 * HOUR, 3)).toBe(false);
  });

  it('is due again within 27 hours on a running machine', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), (start) => {
        let waited = 0;
        while (!isNightlyJobDue(0, waited * HOUR, (start + waited) % 24)) waited += 1;
        expect(waited).toBeLessThanOrEqual(27);
      }),
    );
  });
});

it('scrubs every photograph within thirty days', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (count) => {
      expect(scrubBatchSize(count) * 30 * 24).toBeGreaterThanOrEqual(count);
    }),
  );
  expect(scrubBatchSize(10)).toBe(5);
});
