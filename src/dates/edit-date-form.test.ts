import { describe, expect, it } from 'vitest';
import { editDateBody, editDateErrors, editFormOf } from './edit-date-form.ts';
import { eachOptionalText, NO_TEXTS } from './optional-texts.ts';
import type { PlanForm } from './plan-form.ts';
import { planBody } from './plan-form.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const ROME = 'Europe/Rome';
const form = (fields: Partial<PlanForm>): PlanForm => ({
  plannedDateTime: '2026-11-25T19:00',
  endDateTime: '',
  ...eachOptionalText(() => ''),
  surprise: false,
  ...fields,
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

  it('what is emptied or moved in the form is sent so', () => {
    const moved = { ...editFormOf(date, ROME), plannedDateTime: '2026-10-26T02:30', endDateTime: '', notes: '' };
    expect(editDateBody(moved, date, ROME)).toEqual({ plannedDateTime: '2026-10-26T01:30:00.000Z' });
  });
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
