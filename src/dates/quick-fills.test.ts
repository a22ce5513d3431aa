import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../base/durations.ts';
import { fromLocalInput } from '../base/local-input.ts';
import { completeErrors } from './complete-form.ts';
import { completeQuickFills, defaultPlanTime, editQuickFills, planQuickFills } from './quick-fills.ts';

const values = (fills: readonly { label: string; value: string }[]) => fills.map(({ value }) => value);
/** Friday, the 20th of November 2026, 22:30 in Rome. */
const FRIDAY = Date.parse('2026-11-20T22:30:00+01:00');

describe('quick fills', () => {
  it('of the plan form', { tags: ['dates.plan.3'] }, () => {
    expect(planQuickFills(FRIDAY, 'Europe/Rome')).toEqual([
      { label: 'Today Evening', value: '2026-11-20T19:00' },
      { label: 'Tomorrow Evening', value: '2026-11-21T19:00' },
      { label: 'This Weekend', value: '2026-11-21T14:00' },
      { label: 'Next Week', value: '2026-11-27T19:00' },
    ]);
  });

  it('of the edit form', { tags: ['dates.edit.2'] }, () => {
    expect(editQuickFills(FRIDAY, 'Europe/Rome')).toEqual([
      { label: 'Today 7 PM', value: '2026-11-20T19:00' },
      { label: 'Tomorrow 7 PM', value: '2026-11-21T19:00' },
      { label: 'This Sat 2 PM', value: '2026-11-21T14:00' },
      { label: 'Next Week 7 PM', value: '2026-11-27T19:00' },
    ]);
  });

  it('use the zone of the device', () => {
    // Saturday already in Tokyo: the coming Saturday is the next one.
    expect(values(planQuickFills(FRIDAY, 'Asia/Tokyo'))).toEqual([
      '2026-11-21T19:00',
      '2026-11-22T19:00',
      '2026-11-28T14:00',
      '2026-11-28T19:00',
    ]);
  });

  it('work across a clock change and the end of the year', { tags: ['dates.plan.3'] }, () => {
    const lastOfOctober = Date.parse('2026-10-24T23:30:00+02:00');
    expect(values(planQuickFills(lastOfOctober, 'Europe/Rome'))[1]).toBe('2026-10-25T19:00');
    const lastOfYear = Date.parse('2026-12-31T12:00:00Z');
    expect(values(planQuickFills(lastOfYear, 'UTC'))).toEqual([
      '2026-12-31T19:00',
      '2027-01-01T19:00',
      '2027-01-02T14:00',
      '2027-01-07T19:00',
    ]);
  });

  it('of the complete form', { tags: ['dates.complete.2'] }, () => {
    expect(completeQuickFills(FRIDAY, 'Europe/Rome', null)).toEqual([
      { label: 'Now', value: '2026-11-20T22:30' },
      { label: '30 minutes ago', value: '2026-11-20T22:00' },
      { label: '1 hour ago', value: '2026-11-20T21:30' },
      { label: '2 hours ago', value: '2026-11-20T20:30' },
    ]);
  });

  it("'Now' completes a date started a moment ago", () => {
    const started = FRIDAY + 5_000;
    const now = FRIDAY + 12_345;
    const [{ value } = { value: '' }] = completeQuickFills(now, 'Europe/Rome', started);
    expect(value).toBe('2026-11-20T22:30:12.345');
    const date = { actualStartTime: new Date(started).toISOString(), notes: null };
    const form = { actualStartTime: '2026-11-20T22:30', actualEndTime: value, notes: '' };
    expect(completeErrors(form, date, now, 'Europe/Rome')).toEqual({});
  });

  it("'Now' is the minute of the clock for a date that started before it", () => {
    const now = FRIDAY + 12_345;
    expect(values(completeQuickFills(now, 'Europe/Rome', FRIDAY - DAY))[0]).toBe('2026-11-20T22:30');
  });
});

it('the weekend is a Saturday at 14:00 within the next seven days, at any time and in any zone', {
  tags: ['dates.plan.3'],
}, () => {
  const zones = fc.constantFrom('UTC', 'Pacific/Kiritimati', 'America/St_Johns', 'Asia/Kathmandu', 'Europe/Rome');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 800 * 24 }), zones, (hours, zone) => {
      const now = Date.parse('2026-01-01T00:10:00Z') + hours * 3_600_000;
      const [, , weekend] = planQuickFills(now, zone);
      const local = Temporal.PlainDateTime.from(weekend?.value ?? '');
      expect([local.dayOfWeek, local.hour, local.minute]).toEqual([6, 14, 0]);
      const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
      expect(today.until(local.toPlainDate()).days).toBeLessThanOrEqual(7);
      const then = fromLocalInput(weekend?.value ?? '', zone) ?? 0;
      expect(then).toBeGreaterThan(now);
    }),
  );
});

it('the plan form starts with tomorrow at 19:00', { tags: ['dates.plan.2'] }, () => {
  expect(defaultPlanTime(FRIDAY, 'Europe/Rome')).toBe('2026-11-21T19:00');
});
