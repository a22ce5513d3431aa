import { expect, it } from 'vitest';
import { DAY } from '../base/durations.ts';
import { celebrationText, celebrationTitle, mutualCelebration, mutualText, uncelebrated } from './celebrations.ts';
import { milestonesOf } from './milestones.ts';

const NOW = 3_600_000;
const dates = (count: number) => Array.from({ length: count }, (_, index) => ({ end: index, minutes: 60 }));

it("only earned milestones that weren't seen are celebrated", () => {
  expect(uncelebrated(milestonesOf([]), [], NOW)).toEqual([]);
  expect(uncelebrated(milestonesOf(dates(1)), [], NOW).map(({ id }) => id)).toEqual(['first-date']);
  expect(uncelebrated(milestonesOf(dates(5)), ['first-date'], NOW).map(({ id }) => id)).toEqual(['date-night-regular']);
  expect(uncelebrated(milestonesOf(dates(1)), ['first-date'], NOW)).toEqual([]);
});

it('a milestone of more than seven days ago is never celebrated', { tags: ['stats.milestones.4'] }, () => {
  const earned = milestonesOf([{ end: NOW, minutes: 60 }]);
  expect(uncelebrated(earned, [], NOW + 7 * DAY)).toHaveLength(1);
  expect(uncelebrated(earned, [], NOW + 7 * DAY + 1)).toEqual([]);
});

it('one milestone is celebrated by its title, several in one sentence', { tags: ['stats.milestones.1'] }, () => {
  const one = uncelebrated(milestonesOf(dates(1)), [], NOW);
  expect([celebrationTitle(one), celebrationText(one)]).toEqual(['First Date', 'Our very first date together']);
  const many = uncelebrated(milestonesOf(dates(10)), [], NOW);
  expect(celebrationTitle(many)).toBe('4 milestones');
  expect(celebrationText(many)).toBe('First Date, Time Flies, Date Night Regular and Date Master');
});

it('an idea that both want follows the milestones, and is celebrated once with each partner', {
  tags: ['ideas.hearts.5'],
}, () => {
  const wanted = (partnerId: string) => [
    { id: 'kite', title: 'Kite', partnerId },
    { id: 'kayak', title: 'Kayak', partnerId },
  ];
  const all = uncelebrated(milestonesOf(dates(1)), [], NOW, wanted('ben'));
  expect(all.map(({ ideaId }) => ideaId)).toEqual([null, 'kite', 'kayak']);
  expect(mutualText(all.slice(1))).toBe('Kite and Kayak');
  expect(mutualText(all.slice(1, 2))).toBe('Kite');
  const many = ['a', 'b', 'c', 'd', 'e'].map((title) => ({ id: title, title, partnerId: 'ben' }));
  expect(mutualText(uncelebrated([], [], NOW, many.slice(0, 3)))).toBe('a, b and c');
  expect(mutualText(uncelebrated([], [], NOW, many))).toBe('a, b and 3 more');
  const seen = ['first-date', mutualCelebration('kite', 'ben')];
  expect(uncelebrated(milestonesOf(dates(1)), seen, NOW, wanted('ben')).map(({ ideaId }) => ideaId)).toEqual(['kayak']);
  expect(uncelebrated([], seen, NOW, wanted('cleo'))).toHaveLength(2);
});
