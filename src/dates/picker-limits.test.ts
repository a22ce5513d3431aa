import { describe, expect, it } from 'vitest';
import { completePickerMax, pastPickerLimits, planPickerLimits } from './picker-limits.ts';

/** Friday, the 20th of November 2026, 22:30 in Rome. */
const FRIDAY = Date.parse('2026-11-20T22:30:00+01:00');

describe('the pickers', () => {
  it('plan from now to two years ahead', { tags: ['dates.plan.2'] }, () => {
    expect(planPickerLimits(FRIDAY, 'Europe/Rome')).toEqual({ min: '2026-11-20T22:30', max: '2028-11-20T22:30' });
    const leapDay = Date.parse('2028-02-29T12:00:00Z');
    expect(planPickerLimits(leapDay, 'UTC').max).toBe('2030-02-28T12:00');
  });

  it('complete up to now', () => expect(completePickerMax(FRIDAY, 'Europe/Rome')).toBe('2026-11-20T22:30'));

  it('record from 1900 to now', { tags: ['dates.past.2'] }, () => {
    expect(pastPickerLimits(FRIDAY, 'Europe/Rome')).toEqual({ min: '1900-01-01T00:00', max: '2026-11-20T22:30' });
  });
});
