import { expect, it } from 'vitest';
import { averageText, datesText, formatTotal, memoriesText, totalText } from './total-texts.ts';

it.each([
  [0, '0 hours', '0 hours'],
  [1, '1m', '1 minute'],
  [45, '45m', '45 minutes'],
  [60, '1h', '1 hour'],
  [120, '2h', '2 hours'],
  [150, '2h 30m', '2 hours 30 minutes'],
  [1565, '26h 5m', '1 day 2 hours 5 minutes'],
])(
  'a total of %i minutes is “%s”, and on screens “%s”',
  {
    tags: ['stats.wire.4', 'screens.words.6'],
  },
  (minutes, total, onScreens) => {
    expect(formatTotal(minutes)).toBe(total);
    expect(totalText(minutes)).toBe(onScreens);
  },
);

it.each([
  [0, '0 hours'],
  [1, '1 minute'],
  [45, '45 minutes'],
  [60, '1 hour'],
  [120, '2 hours'],
  [150, '2h 30m'],
  [1565, '26h 5m'],
])('an average of %i minutes is “%s”', { tags: ['stats.screen.3'] }, (minutes, text) => {
  expect(averageText(minutes)).toBe(text);
});

it('counts in words', { tags: ['stats.screen.2'] }, () => {
  expect([0, 1, 12].map(datesText)).toEqual(['No dates yet', '1 beautiful date', '12 beautiful dates']);
  expect([0, 1, 12].map(memoriesText)).toEqual(['No memories yet', '1 precious memory', '12 precious memories']);
});
