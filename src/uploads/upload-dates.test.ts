import { expect, it } from 'vitest';
import { dateOption, datesToChoose } from './upload-dates.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');
const date = (id: string, status: string, day: string) => ({
  id,
  status,
  plannedDateTime: `${day}T19:00:00.000Z`,
  dateIdea: { title: 'The whole beach' },
  surprise: null,
});

it('lists started dates first, latest on top, then upcoming ones', {
  tags: ['uploads.choosing.6', 'dates.surprises.7'],
}, () => {
  const dates = [
    date('later', 'Planned', '2027-01-01'),
    date('soon', 'Planned', '2026-11-22'),
    date('off', 'Cancelled', '2026-11-20'),
    date('old', 'Completed', '2026-10-17'),
    date('missed', 'Planned', '2026-11-01'),
    date('early', 'InProgress', '2026-12-01'),
    { ...date('hidden', 'Planned', '2026-11-23'), surprise: { mine: false, revealed: false } },
  ];
  expect(datesToChoose(dates, now).map(({ id }) => id)).toEqual(['early', 'missed', 'old', 'soon', 'later']);
});

it('marks a completed date with a sparkle', { tags: ['uploads.choosing.6'] }, () => {
  expect(dateOption(date('a', 'Completed', '2026-11-20'), 'Europe/Rome')).toBe('The whole beach - Nov 20, 2026 ✨');
  expect(dateOption(date('a', 'Planned', '2026-11-20'), 'Europe/Rome')).toBe('The whole beach - Nov 20, 2026');
});
