import { describe, expect, it } from 'vitest';
import { ideaNamed, type PastForm, pastBody, pastErrors, pastFormOf } from './past-form.ts';

const ZONE = 'Europe/Rome';
const NOW = Date.parse('2026-11-26T12:00:00Z');
const form: PastForm = { ...pastFormOf(NOW, ZONE), what: 'Two days in Arezzo' };
const ideas = [{ id: 'arezzo', title: 'Two Days in Arezzo', category: 'Cultural' }];

describe('the form for a past date', () => {
  it('begins with yesterday evening, and Romantic', { tags: ['dates.past.4'] }, () => {
    expect(pastFormOf(NOW, ZONE)).toMatchObject({
      actualStartTime: '2026-11-25T19:00',
      actualEndTime: '2026-11-25T22:00',
      category: 'Romantic',
      keep: false,
    });
  });

  it.each([
    [{ what: ' ' }, { what: 'Please say what we did' }],
    [{ what: 'a'.repeat(201) }, { what: 'Title cannot exceed 200 characters' }],
    [{ actualStartTime: '' }, { actualStartTime: 'Start time is required' }],
    [{ actualEndTime: '' }, { actualEndTime: 'End time is required' }],
    [{ actualEndTime: form.actualStartTime }, { actualEndTime: 'End time must be after start time' }],
    [{ actualEndTime: '2026-11-27T01:00' }, { actualEndTime: 'This is still to come' }],
    [
      { actualStartTime: '2026-11-26T13:01', actualEndTime: '2026-11-26T13:04' },
      { actualStartTime: 'This is still to come' },
    ],
    [{ actualStartTime: '1899-12-31T12:00' }, { actualStartTime: 'Start time cannot be before the year 1900' }],
    [{ location: 'a'.repeat(301) }, { location: 'Location must be 300 characters or less' }],
    [{ notes: 'a'.repeat(1001) }, { notes: 'Notes must be 1000 characters or less' }],
    [{}, {}],
  ])('says what is wrong with %j', { tags: ['dates.past.5'] }, (change, expected) => {
    expect(pastErrors({ ...form, ...change }, NOW, ZONE)).toEqual(expected);
  });

  it('uses the idea that has the typed title, or makes a new one', { tags: ['dates.past.4'] }, () => {
    const times = { actualStartTime: '2026-11-25T18:00:00.000Z', actualEndTime: '2026-11-25T21:00:00.000Z' };
    expect(pastBody(form, ideas, ZONE)).toEqual({ dateIdeaId: 'arezzo', ...times });
    expect(pastBody({ ...form, keep: true, location: ' Arezzo ' }, [], ZONE)).toEqual({
      idea: { title: 'Two days in Arezzo', category: 'Romantic', isActive: true },
      location: 'Arezzo',
      ...times,
    });
    expect(ideaNamed([{ id: '', title: '', category: '' }], ' ')).toBeUndefined();
  });
});
