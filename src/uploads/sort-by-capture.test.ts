import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proposeDates, type SortDate } from './sort-by-capture.ts';

const ROME = 'Europe/Rome';
const at = (iso: string) => Date.parse(iso);

/** Creates a date, by default planned for noon of a day. */
function date(id: string, parts: Partial<SortDate> = {}): SortDate {
  const status = parts.actualEndTime ? 'Completed' : parts.actualStartTime ? 'InProgress' : 'Planned';
  return {
    id,
    status,
    plannedDateTime: '2026-10-17T10:00:00Z',
    actualStartTime: null,
    actualEndTime: null,
    dateIdea: { title: id },
    surprise: null,
    ...parts,
  };
}

/** Returns the ids of the dates with the photos proposed for each. */
const sorted = (photos: Record<string, string | null>, dates: readonly SortDate[], zone = ROME) =>
  Object.fromEntries(
    proposeDates(
      Object.entries(photos).map(([id, time]) => ({ id, capturedAt: time === null ? null : at(time) })),
      dates,
      zone,
    ).map((proposal) => [proposal.date.id, proposal.ids]),
  );

describe('sorting photos into dates', () => {
  const arezzo = date('arezzo', {
    actualStartTime: '2026-10-17T08:50:00Z',
    actualEndTime: '2026-10-18T15:15:00Z',
  });
  const dinner = date('dinner', {
    actualStartTime: '2026-10-20T18:00:00Z',
    actualEndTime: '2026-10-20T22:30:00Z',
  });

  it('uses the actual start and end, inclusive', { tags: ['uploads.choosing.11'] }, () => {
    const photos = {
      before: '2026-10-16T08:00:00Z',
      start: '2026-10-17T08:50:00Z',
      night: '2026-10-18T01:00:00Z',
      end: '2026-10-18T15:15:00Z',
      supper: '2026-10-20T20:00:00Z',
    };
    expect(sorted(photos, [dinner, arezzo])).toEqual({ arezzo: ['start', 'night', 'end'], dinner: ['supper'] });
  });

  it('falls back to the day of the actual start, in the zone', { tags: ['uploads.choosing.11'] }, () => {
    // 12:45 a.m. in Rome, and 6:45 p.m. the evening before in New York.
    expect(sorted({ a: '2026-10-20T08:00:00Z', b: '2026-10-20T22:45:00Z' }, [dinner])).toEqual({ dinner: ['a'] });
    expect(sorted({ b: '2026-10-20T22:45:00Z' }, [dinner], 'America/New_York')).toEqual({ dinner: ['b'] });
  });

  it('uses the planned day of a date that has not started', () => {
    const planned = date('planned', { plannedDateTime: '2026-11-01T18:00:00Z' });
    expect(sorted({ a: '2026-11-01T09:00:00Z', b: '2026-11-02T09:00:00Z' }, [planned])).toEqual({ planned: ['a'] });
  });

  it('prefers a date in progress to another one on that day', () => {
    const noon = date('noon', { plannedDateTime: '2026-10-18T12:00:00Z' });
    expect(sorted({ a: '2026-10-18T12:00:00Z', b: '2026-10-18T18:00:00Z' }, [noon, arezzo])).toEqual({
      arezzo: ['a'],
      noon: ['b'],
    });
  });

  it('picks the date with the nearest start', { tags: ['uploads.choosing.11'] }, () => {
    const first = date('first', { plannedDateTime: '2026-10-17T08:00:00Z' });
    const second = date('second', { plannedDateTime: '2026-10-17T18:00:00Z' });
    const photos = { morning: '2026-10-17T09:00:00Z', middle: '2026-10-17T13:00:00Z', evening: '2026-10-17T17:00:00Z' };
    expect(sorted(photos, [second, first])).toEqual({ first: ['morning', 'middle'], second: ['evening'] });
    const within = date('within', { actualStartTime: '2026-10-18T09:00:00Z', actualEndTime: '2026-10-18T10:00:00Z' });
    expect(sorted({ a: '2026-10-18T09:30:00Z' }, [arezzo, within])).toEqual({ within: ['a'] });
  });

  it('adds nothing to a date that started more than a day ago and was never completed', () => {
    const running = date('running', { actualStartTime: '2026-10-17T20:00:00Z' });
    expect(sorted({ a: '2026-10-18T01:00:00Z', b: '2026-10-19T09:00:00Z' }, [running])).toEqual({ running: ['a'] });
  });

  it('proposes no canceled date, and none for a photo without a capture time', {
    tags: ['uploads.choosing.11'],
  }, () => {
    expect(sorted({ a: '2026-10-17T12:00:00Z' }, [{ ...arezzo, status: 'Cancelled' }])).toEqual({});
    expect(sorted({ a: null }, [arezzo])).toEqual({});
  });

  const START = at('2026-01-01T00:00:00Z');
  const time = fc
    .integer({ min: 0, max: 20 * 24 * 60 })
    .map((minute) => new Date(START + minute * 60_000).toISOString());
  const anyDate = fc
    .tuple(time, fc.integer({ min: 1, max: 3000 }), fc.constantFrom('Planned', 'InProgress', 'Completed', 'Cancelled'))
    .map(([start, minutes, status]) => ({
      status,
      plannedDateTime: start,
      actualStartTime: status === 'InProgress' || status === 'Completed' ? start : null,
      actualEndTime: status === 'Completed' ? new Date(at(start) + minutes * 60_000).toISOString() : null,
    }));

  it('proposes each photo at most once, within its date or on its day, whatever the order of the dates', () => {
    fc.assert(
      fc.property(fc.array(anyDate, { maxLength: 8 }), fc.array(time, { maxLength: 8 }), (parts, times) => {
        const dates = parts.map((part, index) => date(`d${index}`, part));
        const photos = times.map((iso, index) => ({ id: `p${index}`, capturedAt: at(iso) }));
        const proposals = proposeDates(photos, dates, ROME);
        expect(proposeDates(photos, dates.toReversed(), ROME)).toEqual(proposals);
        const ids = proposals.flatMap((proposal) => proposal.ids);
        expect(new Set(ids).size).toBe(ids.length);
        const day = (ms: number) => new Intl.DateTimeFormat('sv', { timeZone: ROME }).format(ms);
        const during = ({ actualStartTime: from, actualEndTime: to }: SortDate, ms: number) =>
          from !== null && at(from) <= ms && ms <= (to === null ? at(from) + 86_400_000 : at(to));
        for (const { id, capturedAt } of photos) {
          const open = dates.filter(({ status }) => status !== 'Cancelled');
          const found = proposals.find((proposal) => proposal.ids.includes(id))?.date;
          const inside = open.filter((one) => during(one, capturedAt));
          const sameDay = open.filter((one) => day(at(one.actualStartTime ?? one.plannedDateTime)) === day(capturedAt));
          const possible = inside.length > 0 ? inside : sameDay;
          if (found === undefined) expect(possible).toEqual([]);
          else expect(possible).toContain(found);
        }
      }),
    );
  });
});
