import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../base/durations.ts';
import { type Outing, outingsOf } from './outings.ts';
import type { Captured } from './sort-by-capture.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const STEP = 5 * MINUTE;
const photos = (...times: (string | null)[]): Captured[] =>
  times.map((time, n) => ({ id: String(n), capturedAt: time === null ? null : Date.parse(time) }));
const shown = (outings: readonly Outing[]) =>
  outings.map(({ ids, start, end }) => [ids.join(), new Date(start).toISOString(), new Date(end).toISOString()]);

describe('outings', { tags: ['uploads.outings.1'] }, () => {
  const some = fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      capturedAt: fc.option(fc.integer({ min: NOW - 40 * DAY, max: NOW + DAY }), { nil: null }),
    }),
    { selector: ({ id }) => id, maxLength: 100 },
  );

  it('begin in 1900, as a past date does', () => {
    expect(shown(outingsOf(photos('1899-12-31T23:59:00Z', '1900-01-01T00:00:00Z'), NOW))).toEqual([
      ['1', '1900-01-01T00:00:00.000Z', '1900-01-01T00:30:00.000Z'],
    ]);
  });

  it('do not depend on the order of the photos', () => {
    fc.assert(
      fc.property(
        some.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(outingsOf(shuffled, NOW)).toEqual(outingsOf(all, NOW));
        },
      ),
    );
  });

  it('have each photo with a time once, with no pause of more than six hours, and longer ones between them', () => {
    fc.assert(
      fc.property(some, (all) => {
        const outings = outingsOf(all, NOW);
        const timeOf = (id: string) => all.find((photo) => photo.id === id)?.capturedAt as number;
        const timed = all.filter(({ capturedAt }) => capturedAt !== null).map(({ id }) => id);
        expect(outings.flatMap(({ ids }) => ids).toSorted()).toEqual(timed.toSorted());
        for (const { ids } of outings) {
          for (const [n, id] of ids.slice(1).entries()) {
            const pause = timeOf(id) - timeOf(ids[n] as string);
            expect(pause >= 0 && pause <= 6 * HOUR).toBe(true);
          }
        }
        for (const [n, next] of outings.slice(1).entries()) {
          expect(timeOf(next.ids[0] as string) - timeOf(outings[n]?.ids.at(-1) as string)).toBeGreaterThan(6 * HOUR);
        }
      }),
    );
  });

  it('last half an hour at least, end by now, and hold what was taken by then', () => {
    fc.assert(
      fc.property(some, (all) => {
        for (const { ids, start, end } of outingsOf(all, NOW)) {
          expect(end - start).toBeGreaterThanOrEqual(30 * MINUTE);
          expect(end).toBeLessThanOrEqual(NOW);
          if (end < NOW) expect([start % STEP, end % STEP]).toEqual([0, 0]);
          for (const id of ids) {
            const at = all.find((photo) => photo.id === id)?.capturedAt as number;
            if (at <= NOW) expect(start <= at && at <= end).toBe(true);
          }
        }
      }),
    );
  });

  it('go past midnight, and through the night on which the clocks change', () => {
    const party = photos('2026-10-24T22:58:00+02:00', '2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00');
    expect(shown(outingsOf(party, NOW))).toEqual([['0,1,2', '2026-10-24T20:55:00.000Z', '2026-10-25T01:30:00.000Z']]);
  });

  it('are one for one photo, and none without a time', () => {
    expect(shown(outingsOf(photos('2019-06-01T10:03:00Z'), NOW))).toEqual([
      ['0', '2019-06-01T10:00:00.000Z', '2019-06-01T10:30:00.000Z'],
    ]);
    expect(outingsOf(photos(null, null), NOW)).toEqual([]);
    expect(outingsOf([], NOW)).toEqual([]);
  });

  it('begin again after a pause of more than six hours', () => {
    const day = photos('2019-06-01T10:00:00Z', '2019-06-01T16:00:00Z', '2019-06-01T22:00:00.001Z');
    expect(outingsOf(day, NOW).map(({ ids }) => ids.join())).toEqual(['0,1', '2']);
  });

  it('end now if a camera’s clock is ahead', () => {
    const ahead = photos('2026-11-26T11:55:00Z', '2026-11-26T14:00:00Z');
    expect(shown(outingsOf(ahead, NOW))).toEqual([['0,1', '2026-11-26T11:30:00.000Z', '2026-11-26T12:00:00.000Z']]);
  });
});
