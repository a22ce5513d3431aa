import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../base/durations.ts';
import { msUntilRevealCheck } from './ms-until-reveal-check.ts';

const NOW = Date.parse('2026-12-03T18:30:00Z');
const at = (ms: number, surprise: { mine: boolean; revealed: boolean } | null = { mine: false, revealed: false }) => ({
  plannedDateTime: new Date(NOW + ms).toISOString(),
  surprise,
});

describe('when the page asks for a surprise whose time has come', () => {
  it('is a moment after the time of the soonest one', { tags: ['dates.surprises.10'] }, () => {
    expect(msUntilRevealCheck([at(3 * HOUR), at(20 * MINUTE, { mine: true, revealed: false })], NOW)).toBe(
      20 * MINUTE + 500,
    );
    expect(msUntilRevealCheck([at(40 * DAY)], NOW)).toBe(DAY);
  });

  it('is every 30 seconds while it has passed and is still sealed, and not forever', {
    tags: ['dates.surprises.10'],
  }, () => {
    expect(msUntilRevealCheck([at(-MINUTE)], NOW)).toBe(30_000);
    expect(msUntilRevealCheck([at(-MINUTE), at(10_000)], NOW)).toBe(10_500);
    expect(msUntilRevealCheck([at(-3 * HOUR)], NOW)).toBeNull();
  });

  it('is never if nothing is sealed', { tags: ['dates.surprises.10'] }, () => {
    expect(msUntilRevealCheck([], NOW)).toBeNull();
    expect(msUntilRevealCheck([at(HOUR, null), at(HOUR, { mine: true, revealed: true })], NOW)).toBeNull();
  });
});
