import { describe, expect, it } from 'vitest';
import type { CompleteForm } from './complete-form.ts';
import { completeBody, completeDurationText, completeErrors, completeFormOf } from './complete-form.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const ROME = 'Europe/Rome';

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
