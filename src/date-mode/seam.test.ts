import { describe, expect, it } from 'vitest';
import { minutesIn, runningDate } from '../../tests/support/running-date.ts';
import { seamOf, seamText } from './seam.ts';

describe('the seam', { tags: ['datemode.2'] }, () => {
  it('is described in words', () => {
    expect(seamText(runningDate(), minutesIn(102))).toBe('1 hour 42 minutes of about 2 hours 10 minutes');
    expect(seamText(runningDate(), minutesIn(131))).toBe('2 hours 11 minutes');
    expect(seamText(runningDate(null), minutesIn(5))).toBe('5 minutes');
  });

  it('has a stitch every ten minutes, a knot every hour, and dots for what is still planned', () => {
    const seam = seamOf(runningDate(200), minutesIn(100));
    expect(seam).toMatchObject({ sewn: 0.5, hasRest: true, knots: [0, 0.3] });
    expect(seam.stitches).toHaveLength(10);
    expect(seam.stitches.at(-1)).toBe(0.45);
  });

  it('keeps its length past the planned end, without dots', () => {
    expect(seamOf(runningDate(60), minutesIn(240))).toMatchObject({
      sewn: 1,
      hasRest: false,
      knots: [0, 0.25, 0.5, 0.75],
    });
  });

  it('stays drawable for a date of days, and at its very start', () => {
    const long = seamOf(runningDate(null), minutesIn(3 * 24 * 60));
    expect(long.stitches.length).toBeLessThanOrEqual(36);
    expect(long.knots.length).toBeLessThanOrEqual(36);
    expect(seamOf(runningDate(), minutesIn(0))).toMatchObject({ sewn: 0, stitches: [], knots: [] });
  });
});
