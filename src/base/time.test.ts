import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseFormats,
  clockTime,
  compactDuration,
  dayOf,
  formatInstant,
  longDate,
  longDuration,
  mediumDate,
  minutesBetween,
  monthAndDay,
  monthName,
  parseInstant,
  parseTimeZone,
  relativeTime,
  shortMonth,
  stubDay,
  timeSince,
} from './time.ts';

const at = (iso: string) => Date.parse(iso);

describe('instants on the wire', () => {
  it.each([
    ['2026-11-20T19:00:00.000Z', '2026-11-20T19:00:00.000Z'],
    ['2026-11-20T20:00+01:00', '2026-11-20T19:00:00.000Z'],
    ['2026-11-20T19:00:00.123456Z', '2026-11-20T19:00:00.123Z'],
    ['2024-02-29T00:00:00-12:00', '2024-02-29T12:00:00.000Z'],
  ])('%s is %s', (text, utc) => expect(formatInstant(parseInstant(text) as number)).toBe(utc));

  it.each([
    '2026-02-30T19:00:00Z',
    '2025-02-29T19:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T19:00:00',
    '2026-11-20',
    'tomorrow',
    '',
    '1763665200000',
    '2026-13-01T00:00:00Z',
    '2026-11-20T19:00:00Z[Europe/Rome]',
    '2026-12-31T23:59:60Z',
    '2026-12-31T23:59:60.5+01:00',
  ])('%j is rejected', { tags: ['wire.values.6'] }, (text) => expect(parseInstant(text)).toBeNull());

  it('survive a round trip', () => {
    fc.assert(
      fc.property(fc.integer({ min: at('2000-01-01T00:00Z'), max: at('2100-01-01T00:00Z') }), (ms) => {
        expect(parseInstant(formatInstant(ms))).toBe(ms);
      }),
    );
  });
});

it.each([
  ['europe/rome', 'Europe/Rome'],
  ['UTC', 'UTC'],
  ['+01:00', null],
  ['Etc/Unknown', null],
  ['SystemV/EST5', null],
  ['US/Pacific-New', 'America/Los_Angeles'],
  ['Mars/Olympus', null],
  ['', null],
])('the time zone %j is %j', { tags: ['wire.values.12'] }, (text, zone) => expect(parseTimeZone(text)).toBe(zone));

describe('days in a zone', () => {
  it('begin and end at the local midnight', () => {
    expect(dayOf(at('2026-11-21T10:30:00Z'), 'Pacific/Kiritimati')).toBe('2026-11-22');
    expect(dayOf(at('2026-11-21T10:30:00Z'), 'Pacific/Pago_Pago')).toBe('2026-11-20');
    expect(dayOf(at('2026-12-31T23:30:00Z'), 'Europe/Rome')).toBe('2027-01-01');
  });
});

describe('durations', { tags: ['screens.words.5'] }, () => {
  it.each([
    [0, '0m', '0 minutes'],
    [45, '45m', '45 minutes'],
    [60, '1h', '1 hour'],
    [120, '2h', '2 hours'],
    [150, '2h 30m', '2 hours 30 minutes'],
    [200, '3h 20m', '3 hours 20 minutes'],
    [1560, '26h', '1 day 2 hours'],
    [1565, '26h 5m', '1 day 2 hours 5 minutes'],
  ])('format %d minutes as %s and as %s', (minutes, compact, long) => {
    expect([compactDuration(minutes), longDuration(minutes)]).toEqual([compact, long]);
  });

  it('are whole minutes, rounded down, never negative', () => {
    expect([minutesBetween(0, 119_999), minutesBetween(0, 120_000), minutesBetween(5, 0)]).toEqual([1, 2, 0]);
  });
});

it('formats dates and times in US English with a 12-hour clock', { tags: ['screens.words.5'] }, () => {
  const ms = at('2024-03-04T23:30:00Z');
  expect(longDate(ms, 'Asia/Tokyo')).toBe('Tuesday, March 5, 2024');
  expect(mediumDate(ms, 'UTC')).toBe('Mar 4, 2024');
  expect(clockTime(at('2024-03-05T15:30:00Z'), 'UTC')).toBe('3:30 PM');
  const stub = { weekday: 'Mon', day: '4', month: 'Mar', year: '2024' };
  expect(stubDay(ms, 'UTC')).toEqual({ ...stub, monthAndDay: 'Mar 4' });
  expect(stubDay(ms, 'UTC', 'international')).toEqual({ ...stub, monthAndDay: '4 Mar' });
});

it('formats months, in any zone', () => {
  expect([monthName('2026-11'), monthName('2019-01')]).toEqual(['November 2026', 'January 2019']);
  expect(shortMonth('2026-01')).toBe('Jan');
});

describe('relative time', { tags: ['screens.words.8'] }, () => {
  const now = at('2026-11-21T12:00:00Z');
  it.each([
    [0, '0 seconds ago'],
    [1, '1 second ago'],
    [59, '59 seconds ago'],
    [60, '1 minute ago'],
    [3600, '1 hour ago'],
    [86_400, '1 day ago'],
    [6 * 86_400, '6 days ago'],
    [7 * 86_400, '1 week ago'],
    [27 * 86_400, '3 weeks ago'],
    [28 * 86_400, '1 month ago'],
    [65 * 86_400, '2 months ago'],
    [359 * 86_400, '11 months ago'],
    [360 * 86_400, '1 year ago'],
    [800 * 86_400, '2 years ago'],
    [-3 * 86_400, 'in 3 days'],
  ])('formats %d seconds ago as %s', (seconds, said) => expect(relativeTime(now - seconds * 1000, now)).toBe(said));

  it('has three styles', { tags: ['screens.words.8'] }, () => {
    expect(relativeTime(now - 2 * 86_400_000, now, 'short')).toBe('2d ago');
    expect(relativeTime(now - 2 * 86_400_000, now, 'romantic')).toBe('2 days ago, still close to our hearts');
    expect(relativeTime(now + 3_600_000, now, 'romantic')).toBe('only 1 hour to wait');
    expect(relativeTime(now, now, 'romantic')).toBe('just a heartbeat ago');
  });

  it('of the past never is in the future, even if the clock is behind', { tags: ['screens.words.7'] }, () => {
    expect(timeSince(now + 20_000, now)).toBe('0 seconds ago');
    expect(timeSince(now - 120_000, now)).toBe('2 minutes ago');
    expect(timeSince(now + 20_000, now, 'romantic')).toBe('just a heartbeat ago');
  });
});

describe('the international formats', { tags: ['screens.words.5'] }, () => {
  const ms = Date.parse('2024-03-05T15:30:00Z');
  it.each([
    [longDate, 'Tuesday, March 5, 2024', 'Tuesday, 5 March 2024'],
    [mediumDate, 'Mar 5, 2024', '5 Mar 2024'],
    [monthAndDay, 'Mar 5', '5 Mar'],
    [clockTime, '3:30 PM', '15:30'],
  ])('are asked for, or chosen for the page', (format, us, international) => {
    expect([format(ms, 'UTC', 'us'), format(ms, 'UTC', 'international')]).toEqual([us, international]);
    expect(format(ms, 'UTC')).toBe(us);
    chooseFormats('international');
    expect(format(ms, 'UTC')).toBe(international);
    chooseFormats('us');
  });

  it('count the hours from 00 to 23', () => {
    expect(clockTime(Date.parse('2024-03-05T00:05:00Z'), 'UTC', 'international')).toBe('00:05');
    expect(clockTime(Date.parse('2024-03-05T09:00:00Z'), 'UTC', 'international')).toBe('09:00');
  });
});
