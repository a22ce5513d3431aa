import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../base/durations.ts';
import { latestEarned, milestonesOf, nextMilestoneText } from './milestones.ts';

const START = Date.parse('2026-01-01T20:00:00Z');
const ended = (day: number, minutes: number) => ({ end: START + day * DAY, minutes });
const at = (day: number) => new Date(START + day * DAY).toISOString();

describe('milestones', () => {
  it('come in their order, and none is reached at first', { tags: ['stats.wire.7'] }, () => {
    const none = milestonesOf([]);
    expect(none.map(({ title, target, unit }) => `${title}: ${target} ${unit}`)).toEqual([
      'First Date: 1 dates',
      'Time Flies: 10 hours',
      'Date Night Regular: 5 dates',
      'Quality Time: 50 hours',
      'Date Master: 10 dates',
      'Century Club: 100 hours',
    ]);
    expect(none.every(({ earnedAt, progress }) => earnedAt === null && progress === 0)).toBe(true);
    expect(nextMilestoneText(none)).toBe('First Date');
  });

  it('are earned when the date that reached them ended, in any order of dates', { tags: ['stats.wire.7'] }, () => {
    const dates = [ended(2, 300), ended(0, 200), ended(4, 60), ended(1, 100), ended(3, 30)];
    const [first, flies, regular, quality] = milestonesOf(dates);
    expect(first).toMatchObject({ earnedAt: at(0), progress: 1 });
    expect(flies).toMatchObject({ earnedAt: at(2), progress: 10 });
    expect(regular).toMatchObject({ earnedAt: at(4), progress: 5 });
    expect(quality).toMatchObject({ earnedAt: null, progress: 11.5 });
    expect(nextMilestoneText(milestonesOf(dates))).toBe('Quality Time');
  });

  it("have hours with one decimal, rounded down, so that a minute short isn't enough", () => {
    const [, flies] = milestonesOf([ended(0, 599)]);
    expect(flies).toMatchObject({ progress: 9.9, earnedAt: null });
    expect(milestonesOf([ended(0, 600)])[1]).toMatchObject({ progress: 10, earnedAt: at(0) });
  });

  it('are listed latest earned first, five at most', { tags: ['stats.wire.8', 'stats.screen.13'] }, () => {
    const one = milestonesOf([ended(0, 30 * 60)]);
    expect(latestEarned(one).map(({ title }) => title)).toEqual(['Time Flies', 'First Date']);
    const all = milestonesOf(Array.from({ length: 12 }, (_, day) => ended(day, 600)));
    expect(latestEarned(all).map(({ title }) => title)).toEqual([
      'Century Club',
      'Date Master',
      'Quality Time',
      'Date Night Regular',
      'Time Flies',
    ]);
    expect(nextMilestoneText(all)).toBe('All achieved!');
  });

  it('have progress that never exceeds the target, reaches it exactly when earned, and never falls with another date', {
    tags: ['stats.wire.7', 'stats.screen.12'],
  }, () => {
    const some = fc.array(
      fc.record({ end: fc.integer({ min: START, max: START + 900 * DAY }), minutes: fc.nat(3000) }),
    );
    fc.assert(
      fc.property(some, fc.nat(3000), (dates, minutes) => {
        const before = milestonesOf(dates);
        const after = milestonesOf([...dates, { end: START + 901 * DAY, minutes }]);
        before.forEach(({ earnedAt, progress, target }, i) => {
          expect(progress).toBeLessThanOrEqual(target);
          expect(earnedAt !== null).toBe(progress === target);
          expect(after[i]?.progress).toBeGreaterThanOrEqual(progress);
          if (earnedAt !== null) expect(after[i]?.earnedAt).toBe(earnedAt);
        });
      }),
    );
  });
});
