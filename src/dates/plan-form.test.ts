import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../base/durations.ts';
import { dateCalls } from './contract.ts';
import { editDateBody, editDateErrors } from './edit-date-form.ts';
import { eachOptionalText, NO_TEXTS } from './optional-texts.ts';
import type { PlanForm } from './plan-form.ts';
import { planBody, planErrors } from './plan-form.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const ROME = 'Europe/Rome';
const form = (fields: Partial<PlanForm>): PlanForm => ({
  plannedDateTime: '2026-11-25T19:00',
  endDateTime: '',
  ...eachOptionalText(() => ''),
  surprise: false,
  ...fields,
});

describe('the plan form', { tags: ['dates.plan.4'] }, () => {
  it.each([
    ['as it should be', {}, {}],
    ['no start', { plannedDateTime: '' }, { plannedDateTime: 'Date and time is required' }],
    ['a start that is none', { plannedDateTime: '2026-02-30T19:00' }, { plannedDateTime: 'Date and time is required' }],
    [
      'too far ahead',
      { plannedDateTime: '2028-12-01T19:00' },
      { plannedDateTime: 'Date and time cannot be more than two years ahead' },
    ],
    ['an end at the start', { endDateTime: '2026-11-25T19:00' }, { endDateTime: 'End time must be after start time' }],
    ['an end after it', { endDateTime: '2026-11-25T19:01' }, {}],
    ['a location of 200', { location: 'l'.repeat(200) }, {}],
    ['a location of 201', { location: 'l'.repeat(201) }, { location: 'Location cannot exceed 200 characters' }],
    ['notes of 501', { notes: 'n'.repeat(501) }, { notes: 'Notes cannot exceed 500 characters' }],
  ])('%s', (_, fields, errors) => expect(planErrors(form(fields), NOW, ROME)).toEqual(errors));

  it('sends UTC and trimmed texts, and omits empty ones', { tags: ['dates.plan.5'] }, () => {
    expect(planBody('an-id', form({ location: '  Rome ', notes: ' ' }), ROME)).toEqual({
      dateIdeaId: 'an-id',
      plannedDateTime: '2026-11-25T18:00:00.000Z',
      location: 'Rome',
    });
    expect(planBody('an-id', form({ endDateTime: '2026-11-25T21:30' }), ROME).endDateTime).toBe(
      '2026-11-25T20:30:00.000Z',
    );
  });

  it('handles clock changes: a skipped hour becomes the next one, a repeated hour is the first', {
    tags: ['dates.plan.5'],
  }, () => {
    expect(planBody('i', form({ plannedDateTime: '2026-03-29T02:30' }), ROME).plannedDateTime).toBe(
      '2026-03-29T01:30:00.000Z',
    );
    expect(planBody('i', form({ plannedDateTime: '2026-10-25T02:30' }), ROME).plannedDateTime).toBe(
      '2026-10-25T00:30:00.000Z',
    );
    // 1:30 to 3:30 on the spring morning is one hour, and still an end after its start.
    expect(
      planErrors(form({ plannedDateTime: '2026-03-29T01:30', endDateTime: '2026-03-29T03:30' }), NOW, ROME),
    ).toEqual({});
  });
});

it('page and server validate every plan and every edit alike', { tags: ['wire.values.7'] }, () => {
  const local = fc.integer({ min: 0, max: 700 * 1440 }).map((minutes) => {
    return new Date(NOW + minutes * MINUTE).toISOString().slice(0, 16);
  });
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 9 }),
    fc.integer({ min: 190, max: 1010 }).map((n) => '💐'.repeat(n)),
  );
  const forms = fc.record({
    plannedDateTime: local,
    endDateTime: fc.constant(''),
    ...eachOptionalText(() => text),
    surprise: fc.boolean(),
  });
  const plan = dateCalls['POST /api/PlannedDates'].body;
  const edit = dateCalls['PUT /api/PlannedDates/{id}'].body;
  const far = {
    ...form({}),
    plannedDateTime: '2026-11-25T18:00:00.000Z',
    endDateTime: null,
    ...NO_TEXTS,
    surprise: null,
  };
  fc.assert(
    fc.property(forms, (typed) => {
      const planned = planBody('some-id', typed, 'America/New_York');
      expect(plan.safeParse(planned).success).toBe(
        Object.keys(planErrors(typed, NOW, 'America/New_York')).length === 0,
      );
      const edited = editDateBody(typed, far, 'America/New_York');
      expect(edit.safeParse(edited).success).toBe(
        Object.keys(editDateErrors(typed, NOW, 'America/New_York')).length === 0,
      );
    }),
  );
});

it('an end that is not after its start is refused, in every zone and season', () => {
  const zones = fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', ROME);
  fc.assert(
    fc.property(fc.nat(700 * 24), fc.integer({ min: -300, max: 300 }), zones, (hours, minutes, zone) => {
      const plannedDateTime = new Date(NOW + hours * 3_600_000).toISOString().slice(0, 16);
      const endDateTime = new Date(NOW + hours * 3_600_000 + minutes * MINUTE).toISOString().slice(0, 16);
      const typed = form({ plannedDateTime, endDateTime });
      const { plannedDateTime: start, endDateTime: end = '' } = planBody('i', typed, zone);
      const refused = planErrors(typed, NOW + 30 * DAY, zone).endDateTime !== undefined;
      expect(refused).toBe(Date.parse(end) <= Date.parse(start));
    }),
  );
});
