import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../base/time.ts';
import type { CompleteForm } from './complete-rules.ts';
import { completeBody, completeDurationText, completeErrors, completeFormOf } from './complete-rules.ts';
import { dateCalls } from './contract.ts';
import { dateBodyOf } from './date-body.ts';
import { eachOptionalText, NO_TEXTS } from './optional-texts.ts';
import type { PlanForm } from './plan-form.ts';
import { editDateBody, editDateErrors, editFormOf, planBody, planErrors } from './plan-form.ts';

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

describe('the edit form, with its own messages', { tags: ['dates.edit.1'] }, () => {
  it.each([
    ['no start', { plannedDateTime: '' }, { plannedDateTime: 'Planned date and time is required' }],
    ['a location of 300', { location: 'l'.repeat(300) }, {}],
    ['a location of 301', { location: 'l'.repeat(301) }, { location: 'Location must be 300 characters or less' }],
    ['notes of 1001', { notes: 'n'.repeat(1001) }, { notes: 'Notes must be 1000 characters or less' }],
    ['an end before', { endDateTime: '2026-11-25T18:00' }, { endDateTime: 'End time must be after start time' }],
  ])('%s', (_, fields, errors) => expect(editDateErrors(form(fields), NOW, ROME)).toEqual(errors));

  const date = {
    plannedDateTime: '2026-10-25T01:30:12.345Z',
    endDateTime: '2026-10-25T04:00:30.000Z',
    ...NO_TEXTS,
    notes: 'Bring a coat',
    surprise: null,
  };

  it('a date passes through its form unchanged, including seconds and the second of two repeated hours', () => {
    expect(editDateBody(editFormOf(date, ROME), date, ROME)).toEqual({
      plannedDateTime: date.plannedDateTime,
      endDateTime: date.endDateTime,
      notes: 'Bring a coat',
    });
  });

  it('a date is sent whole where one field of it changes', () => {
    const { surprise: _surprise, ...body } = date;
    expect(dateBodyOf(date)).toEqual(body);
  });

  it('what is emptied or moved in the form is sent so', () => {
    const moved = { ...editFormOf(date, ROME), plannedDateTime: '2026-10-26T02:30', endDateTime: '', notes: '' };
    expect(editDateBody(moved, date, ROME)).toEqual({ plannedDateTime: '2026-10-26T01:30:00.000Z' });
  });
});

describe('the complete form', { tags: ['dates.complete.4'] }, () => {
  const date = { actualStartTime: '2026-11-21T09:00:30.000Z', notes: 'Bring a coat' };
  const filled = (fields: Partial<CompleteForm>): CompleteForm => ({
    ...completeFormOf(date, ROME),
    actualEndTime: '2026-11-21T12:30',
    ...fields,
  });

  it('opens with the recorded start, no end, and the planned notes', { tags: ['dates.complete.1'] }, () => {
    expect(completeFormOf(date, ROME)).toEqual({
      actualStartTime: '2026-11-21T10:00',
      actualEndTime: '',
      notes: 'Bring a coat',
    });
  });

  it.each([
    ['no end', { actualEndTime: '' }, { actualEndTime: 'End time is required' }],
    ['as it should be', {}, {}],
    [
      'an end at the start',
      { actualEndTime: '2026-11-21T10:00' },
      { actualEndTime: 'End time must be after start time' },
    ],
    [
      'an end before the start that was left empty',
      { actualStartTime: '', actualEndTime: '2026-11-21T09:59' },
      { actualEndTime: 'End time must be after start time' },
    ],
    ['an earlier start', { actualStartTime: '2026-11-21T08:00', actualEndTime: '2026-11-21T09:00' }, {}],
    ['five minutes ahead', { actualEndTime: '2026-11-21T13:05' }, {}],
    ['an hour ahead', { actualEndTime: '2026-11-21T14:00' }, { actualEndTime: 'End time cannot be in the future' }],
    ['notes of 1001', { notes: 'n'.repeat(1001) }, { notes: 'Notes cannot exceed 1000 characters' }],
  ])('%s', (_, fields, errors) => expect(completeErrors(filled(fields), date, NOW, ROME)).toEqual(errors));

  it.each([
    ['both set', {}, '2 hours 29 minutes'],
    ['no end', { actualEndTime: '' }, 'Duration will be calculated when both times are set'],
    ['an end too early', { actualEndTime: '2026-11-21T09:00' }, 'Invalid duration - end time must be after start time'],
    ['thirty hours', { actualStartTime: '2026-11-20T06:30' }, '1 day 6 hours'],
    [
      'a night with an hour repeated',
      { actualStartTime: '2026-10-24T22:00', actualEndTime: '2026-10-25T10:00' },
      '13 hours',
    ],
  ])('duration: %s', { tags: ['dates.complete.3'] }, (_, fields, text) =>
    expect(completeDurationText(filled(fields), date, ROME)).toBe(text),
  );

  it('gives no duration without a start', { tags: ['dates.complete.3'] }, () => {
    const form = filled({ actualStartTime: '' });
    expect(completeDurationText(form, { actualStartTime: null, notes: null }, ROME)).toBe(
      'Duration will be calculated when both times are set',
    );
  });

  it('sends only what changed; blank notes clear the old ones', () => {
    const end = { actualEndTime: '2026-11-21T11:30:00.000Z' };
    expect(completeBody(filled({}), date, ROME)).toEqual(end);
    expect(completeBody(filled({ actualStartTime: '' }), date, ROME)).toEqual(end);
    expect(completeBody(filled({ notes: '  ' }), date, ROME)).toEqual({ ...end, notes: '' });
    expect(completeBody(filled({ actualStartTime: '2026-11-21T08:15', notes: ' Lovely ' }), date, ROME)).toEqual({
      ...end,
      actualStartTime: '2026-11-21T07:15:00.000Z',
      notes: 'Lovely',
    });
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

it('sends a surprise when it is planned, and on an edit only to reveal it', { tags: ['dates.surprises.5'] }, () => {
  const planned = planBody('i', form({ surprise: true }), ROME);
  expect(planned.surprise).toBe(true);
  expect(planBody('i', form({}), ROME)).not.toHaveProperty('surprise');
  const secret = { ...planned, endDateTime: null, ...NO_TEXTS };
  const own = { ...secret, surprise: { mine: true, revealed: false } };
  expect(editFormOf(own, ROME).surprise).toBe(true);
  expect(editDateBody(form({ surprise: true }), own, ROME)).not.toHaveProperty('surprise');
  expect(editDateBody(form({ surprise: false }), own, ROME).surprise).toBe(false);
  for (const surprise of [null, { mine: false, revealed: true }, { mine: true, revealed: true }]) {
    const date = { ...secret, surprise };
    expect(editFormOf(date, ROME).surprise).toBe(false);
    expect(editDateBody(form({ surprise: false }), date, ROME)).not.toHaveProperty('surprise');
  }
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
