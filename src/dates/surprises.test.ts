import { describe, expect, it } from 'vitest';
import { HOUR } from '../base/durations.ts';
import type { UserId } from '../base/ids.ts';
import { isSealed, type Sealable } from './surprises.ts';

const NOW = Date.parse('2026-11-23T18:00:00Z');
const stored: Sealable = {
  status: 'Planned',
  plannedDateTime: NOW + HOUR,
  surpriseBy: 'ada' as UserId,
  revealedAt: null,
};

describe('a surprise', () => {
  it('is sealed until its time, or until it is started, completed, cancelled or revealed', {
    tags: ['dates.surprises.2'],
  }, () => {
    expect(isSealed(stored, NOW)).toBe(true);
    expect(isSealed(stored, NOW + HOUR - 1)).toBe(true);
    expect(isSealed(stored, NOW + HOUR)).toBe(false);
    for (const status of ['InProgress', 'Completed', 'Cancelled'] as const) {
      expect(isSealed({ ...stored, status }, NOW)).toBe(false);
    }
    expect(isSealed({ ...stored, revealedAt: NOW - 1 }, NOW)).toBe(false);
    expect(isSealed({ ...stored, surpriseBy: null }, NOW)).toBe(false);
  });
});
