import { expect, it } from 'vitest';
import { wentText } from './went-texts.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const went = (start: string, end: string | null, plannedEnd: string | null) => ({
  plannedDateTime: `${start}.000Z`,
  actualStartTime: `${start}.000Z`,
  endDateTime: plannedEnd && `${plannedEnd}.000Z`,
  actualEndTime: end && `${end}.000Z`,
});

it.each([
  [
    'as planned',
    went('2026-11-19T20:00:00', '2026-11-19T20:45:00', '2026-11-19T20:45:00'),
    'Thursday, 8:00 PM to 8:45 PM, as planned',
  ],
  ['without a planned end', went('2026-11-19T20:00:00', '2026-11-19T22:00:00', null), 'Thursday, 8:00 PM to 10:00 PM'],
  [
    'that should still last',
    went('2026-11-20T20:00:00', '2026-11-21T12:00:00', '2026-11-22T20:00:00'),
    'Friday, 8:00 PM to 12:00 PM',
  ],
  [
    'of more than six days ago',
    went('2026-11-05T20:00:00', '2026-11-05T22:00:00', null),
    'Nov 5, 2026, 8:00 PM to 10:00 PM',
  ],
])('the message after ‘We went!’ gives the times of a date %s', { tags: ['dates.went.7'] }, (_, date, text) => {
  expect(wentText(date, NOW, 'UTC')).toBe(text);
});
