import { describe, expect, it } from 'vitest';
import { MINUTE } from '../base/durations.ts';
import { seamOf, seamText } from './seam.ts';

const START = Date.parse('2026-11-14T18:15:00Z');
const running = (planned: number | null = 130) => ({
  plannedDateTime: '2026-11-14T18:00:00.000Z',
  actualStartTime: new Date(START).toISOString(),
  endDateTime: planned === null ? null : new Date(START + planned * MINUTE).toISOString(),
});
const at = (minutes: number) => START + minutes * MINUTE;

describe('the seam', { tags: ['datemode.2'] }, () => {
  it('is described in words', () => {
    expect(seamText(running(), at(102))).toBe('1 hour 42 minutes of about 2 hours 10 minutes');
    expect(seamText(running(), at(131))).toBe('2 hours 11 minutes');
    expect(seamText(running(null), at(5))).toBe('5 minutes');
  });

  it('has a stitch every ten minutes, a knot every hour, and dots for what is still planned', () => {
    const seam = seamOf(running(200), at(100));
    expect(seam).toMatchObject({ sewn: 0.5, hasRest: true, knots: [0, 0.3] });
    expect(seam.stitches).toHaveLength(10);
    expect(seam.stitches.at(-1)).toBe(0.45);
  });

  it('keeps its length past the planned end, without dots', () => {
    expect(seamOf(running(60), at(240))).toMatchObject({ sewn: 1, hasRest: false, knots: [0, 0.25, 0.5, 0.75] });
  });

  it('stays drawable for a date of days, and at its very start', () => {
    const long = seamOf(running(null), at(3 * 24 * 60));
    expect(long.stitches.length).toBeLessThanOrEqual(36);
    expect(long.knots.length).toBeLessThanOrEqual(36);
    expect(seamOf(running(), at(0))).toMatchObject({ sewn: 0, stitches: [], knots: [] });
  });
});
