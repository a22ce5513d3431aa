import { expect, it } from 'vitest';
import { celebrationText, celebrationTitle, uncelebrated } from './celebrations.ts';
import { milestonesOf } from './milestones.ts';

const dates = (count: number) => Array.from({ length: count }, (_, index) => ({ end: index, minutes: 60 }));

it("only earned milestones that weren't seen are celebrated", () => {
  expect(uncelebrated(milestonesOf([]), [])).toEqual([]);
  expect(uncelebrated(milestonesOf(dates(1)), []).map(({ id }) => id)).toEqual(['first-date']);
  expect(uncelebrated(milestonesOf(dates(5)), ['first-date']).map(({ id }) => id)).toEqual(['date-night-regular']);
  expect(uncelebrated(milestonesOf(dates(1)), ['first-date'])).toEqual([]);
});

it('one milestone is celebrated by its title, several in one sentence', () => {
  const one = uncelebrated(milestonesOf(dates(1)), []);
  expect([celebrationTitle(one), celebrationText(one)]).toEqual(['First Date', 'Our very first date together']);
  const many = uncelebrated(milestonesOf(dates(10)), []);
  expect(celebrationTitle(many)).toBe('4 milestones');
  expect(celebrationText(many)).toBe('First Date, Time Flies, Date Night Regular and Date Master');
});
