import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueReminders, HORIZON, type Remindable } from './due-reminders.ts';

const ROME = 'Europe/Rome';
const at = (iso: string) => Date.parse(iso);
/** Sunday the 22nd, 7 p.m. in Rome, without an end. */
const dinner: Remindable = {
  status: 'Planned',
  plannedDateTime: at('2026-11-22T19:00:00+01:00'),
  endDateTime: null,
  actualStartTime: null,
};
const kinds = (date: Remindable, now: string, zone = ROME) => dueReminders(date, at(now), zone).map(({ kind }) => kind);

describe('due reminders', () => {
  it("include tomorrow's date from six the evening before, by the couple's clock", { tags: ['reminders.1'] }, () => {
    expect(kinds(dinner, '2026-11-21T17:59:59+01:00')).toEqual([]);
    expect(kinds(dinner, '2026-11-21T18:00:00+01:00')).toEqual(['tomorrow']);
    expect(kinds(dinner, '2026-11-21T23:59:59+01:00')).toEqual(['tomorrow']);
    expect(kinds(dinner, '2026-11-22T00:00:00+01:00')).toEqual([]);
    // In Auckland it is Monday morning, the 23rd.
    expect(kinds(dinner, '2026-11-21T18:00:00+01:00', 'Pacific/Auckland')).toEqual([]);
    expect(kinds(dinner, '2026-11-22T18:00:00+13:00', 'Pacific/Auckland')).toEqual(['tomorrow']);
  });

  it('include a date for the hour before it starts', { tags: ['reminders.1'] }, () => {
    expect(kinds(dinner, '2026-11-22T17:59:59+01:00')).toEqual([]);
    expect(kinds(dinner, '2026-11-22T18:00:00+01:00')).toEqual(['starting']);
    expect(kinds(dinner, '2026-11-22T19:00:00+01:00')).toEqual([]);
  });

  it("include 'How was it?' an hour after the end, not at night, and for two days at most", {
    tags: ['reminders.1'],
  }, () => {
    const noon = { ...dinner, plannedDateTime: at('2026-11-22T12:00:00+01:00') };
    expect(kinds(noon, '2026-11-22T14:59:00+01:00')).toEqual([]);
    expect(kinds(noon, '2026-11-22T15:00:00+01:00')).toEqual(['howWasIt']);
    expect(kinds(noon, '2026-11-24T14:59:00+01:00')).toEqual(['howWasIt']);
    expect(kinds(noon, '2026-11-24T15:00:00+01:00')).toEqual([]);
    expect(kinds(dinner, '2026-11-22T23:00:00+01:00')).toEqual([]);
    expect(kinds(dinner, '2026-11-23T08:59:00+01:00')).toEqual([]);
    expect(kinds(dinner, '2026-11-23T09:00:00+01:00')).toEqual(['howWasIt']);
    const ended = { ...noon, endDateTime: at('2026-11-22T16:00:00+01:00') };
    expect(kinds(ended, '2026-11-22T16:30:00+01:00')).toEqual([]);
    expect(kinds(ended, '2026-11-22T17:00:00+01:00')).toEqual(['howWasIt']);
  });

  it("include only 'How was it?' for a started date, counted from its actual start, and nothing for others", () => {
    const late = { ...dinner, status: 'InProgress', actualStartTime: at('2026-11-23T10:00:00+01:00') };
    expect(kinds(late, '2026-11-23T12:30:00+01:00')).toEqual([]);
    expect(kinds(late, '2026-11-23T13:00:00+01:00')).toEqual(['howWasIt']);
    expect(kinds({ ...dinner, status: 'InProgress' }, '2026-11-21T19:00:00+01:00')).toEqual([]);
    for (const status of ['Completed', 'Cancelled']) {
      for (const now of ['2026-11-21T19:00:00+01:00', '2026-11-22T18:30:00+01:00', '2026-11-23T10:00:00+01:00']) {
        expect(kinds({ ...dinner, status }, now)).toEqual([]);
      }
    }
  });

  it('never include a date beyond the horizon, if it lasts two weeks at most', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -40 * 1440, max: 10 * 1440 }),
        fc.integer({ min: 1, max: 14 * 1440 }),
        fc.constantFrom('UTC', ROME, 'America/New_York', 'Pacific/Kiritimati'),
        (minutes, lasts, zone) => {
          const now = at('2026-10-25T00:30:00Z');
          const plannedDateTime = now + minutes * 60_000;
          const date = { ...dinner, plannedDateTime, endDateTime: plannedDateTime + lasts * 60_000 };
          const seen =
            plannedDateTime > now - HORIZON.before &&
            plannedDateTime < now + HORIZON.ahead &&
            (date.endDateTime ?? plannedDateTime) > now - HORIZON.afterEnd;
          return seen || dueReminders(date, now, zone).length === 0;
        },
      ),
    );
  });
});
