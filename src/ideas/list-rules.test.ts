import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../base/durations.ts';
import { CATEGORIES } from './categories.ts';
import type { DateIdea } from './contract.ts';
import type { IdeaFilter } from './list-rules.ts';
import {
  hasFilters,
  ideaAgeText,
  ideaBadges,
  ideaSummary,
  inactiveCount,
  lastPlannedText,
  noIdeasText,
  relativeDay,
  timesPlannedText,
  visibleIdeas,
} from './list-rules.ts';

const NOW = Date.parse('2026-11-21T20:00:00Z');
let made = 0;

function idea(fields: Partial<DateIdea>): DateIdea {
  made += 1;
  return {
    id: `0000-${String(made).padStart(4, '0')}`,
    title: 'Picnic',
    description: null,
    category: 'Romantic',
    isActive: true,
    plannedDatesCount: 0,
    lastPlannedDate: null,
    hearts: { mine: false, mutual: false },
    createdAt: '2026-01-01T12:00:00.000Z',
    updatedAt: '2026-01-01T12:00:00.000Z',
    ...fields,
  };
}

const titles = (ideas: readonly DateIdea[], filter: Partial<IdeaFilter>) =>
  visibleIdeas(ideas, { search: '', category: '', sort: 'title', showInactive: false, both: false, ...filter }).map(
    (i) => i.title,
  );

describe('the list', { tags: ['ideas.list.2', 'ideas.list.4'] }, () => {
  const ideas = [
    idea({ title: 'zoo', category: 'Active', createdAt: '2026-03-01T00:00:00.000Z' }),
    idea({ title: 'Äpfel pflücken', category: 'Outdoor', description: 'In the ORCHARD', plannedDatesCount: 2 }),
    idea({ title: 'apple pie', category: 'Food', plannedDatesCount: 5 }),
    idea({ title: 'Bath', category: 'Relaxing', isActive: false }),
    idea({ title: 'Cinema', category: 'Cultural', createdAt: '2026-02-01T00:00:00.000Z' }),
  ];

  it.each([
    ['by title, without case and accents', {}, ['Äpfel pflücken', 'apple pie', 'Cinema', 'zoo']],
    ['found in the title', { search: ' APPLE ' }, ['apple pie']],
    ['found in the description', { search: 'orchard' }, ['Äpfel pflücken']],
    ['of a category', { category: 'Food' }, ['apple pie']],
    ['of a category, searched', { category: 'Food', search: 'zoo' }, []],
    [
      'by the category as shown, then title',
      { sort: 'category' as const },
      ['zoo', 'Cinema', 'apple pie', 'Äpfel pflücken'],
    ],
    ['newest first', { sort: 'recent' as const }, ['zoo', 'Cinema', 'apple pie', 'Äpfel pflücken']],
    ['most planned first', { sort: 'popular' as const }, ['apple pie', 'Äpfel pflücken', 'Cinema', 'zoo']],
    ['with the inactive', { showInactive: true }, ['Äpfel pflücken', 'apple pie', 'Bath', 'Cinema', 'zoo']],
  ])('%s', (_, filter, expected) => expect(titles(ideas, filter)).toEqual(expected));

  it('ideas that both want, and among them found in the title', { tags: ['ideas.hearts.8'] }, () => {
    const mutual = { hearts: { mine: true, mutual: true } };
    const wanted = [
      idea({ title: 'Kite', ...mutual }),
      idea({ title: 'Kayak', ...mutual }),
      idea({ title: 'Kiosk', hearts: { mine: true, mutual: false } }),
      idea({ title: 'Kino', isActive: false, ...mutual }),
    ];
    expect(titles(wanted, { both: true })).toEqual(['Kayak', 'Kite']);
    expect(titles(wanted, { both: true, search: 'ki' })).toEqual(['Kite']);
    expect(titles(wanted, { both: true, showInactive: true })).toEqual(['Kayak', 'Kino', 'Kite']);
  });

  it('counts the inactive ideas', () => expect(inactiveCount(ideas)).toBe(1));

  it('does not change its argument', () => {
    const before = [...ideas];
    titles(ideas, { sort: 'popular' });
    expect(ideas).toEqual(before);
  });

  it('contains the same ideas once in every order', { tags: ['ideas.list.4'] }, () => {
    const some = fc.array(
      fc.record({ title: fc.string(), category: fc.constantFrom(...CATEGORIES.map((c) => c.value)) }),
    );
    fc.assert(
      fc.property(some, fc.constantFrom('title', 'category', 'recent', 'popular'), (fields, sort) => {
        const given = fields.map((f) => idea(f));
        const shown = visibleIdeas(given, { search: '', category: '', sort, showInactive: false, both: false });
        expect(new Set(shown)).toEqual(new Set(given));
        expect(
          visibleIdeas(shown.toReversed(), { search: '', category: '', sort, showInactive: false, both: false }),
        ).toEqual(shown);
      }),
    );
  });
});

describe('summary and empty states', { tags: ['ideas.list.5', 'ideas.list.9'] }, () => {
  it.each([
    [0, '', '', '0 ideas found'],
    [1, '', '', '1 idea found'],
    [2, 'Food', '', '2 ideas found in Food & Dining'],
    [3, '', ' pasta ', '3 ideas found for "pasta"'],
    [1, 'Outdoor', 'lake', '1 idea found in Outdoor for "lake"'],
  ])('%i %s %s', (count, category, search, text) => expect(ideaSummary(count, { category, search })).toBe(text));

  it.each([
    ['', '', 'No date ideas yet! Start by adding our first romantic idea.', false],
    ['Food', '', 'No date ideas found in Food & Dining category.', true],
    ['', 'moon', 'No date ideas found for "moon".', true],
    ['Active', 'moon', 'No date ideas found in Active category.', true],
    ['', '   ', 'No date ideas yet! Start by adding our first romantic idea.', false],
  ])('category %j, term %j', (category, search, text, narrowed) => {
    expect(noIdeasText({ category, search })).toBe(text);
    expect(hasFilters({ category, search })).toBe(narrowed);
  });
});

describe('badges', { tags: ['ideas.list.6'] }, () => {
  it.each([
    ['today', 0, 2, ['New']],
    ['7 days ago', 7, 3, ['New', 'Popular']],
    ['8 days ago', 8, 3, ['Popular']],
    ['long ago', 100, 0, []],
  ])('created %s', (_, days, plannedDatesCount, badges) => {
    const createdAt = new Date(NOW - days * DAY).toISOString();
    expect(ideaBadges({ createdAt, plannedDatesCount }, NOW, 'UTC')).toEqual(badges);
  });
});

describe('relative time for ideas', { tags: ['ideas.list.7'] }, () => {
  it.each([
    [0, 'today'],
    [-1, 'yesterday'],
    [-2, '2 days ago'],
    [-6, '6 days ago'],
    [-7, '1 week ago'],
    [-14, '2 weeks ago'],
    [-29, '4 weeks ago'],
    [-30, '1 month ago'],
    [-60, '2 months ago'],
    [-364, '12 months ago'],
    [-365, '1 year ago'],
    [-800, '2 years ago'],
    [1, 'tomorrow'],
    [3, 'in 3 days'],
    [14, 'in 2 weeks'],
    [60, 'in 2 months'],
    [366, 'in 1 year'],
  ])('%i days', (days, text) => expect(relativeDay(NOW + days * DAY, NOW, 'UTC')).toBe(text));

  it('uses calendar days of the zone, not 24 hours', () => {
    const now = Date.parse('2026-11-21T00:30:00+01:00');
    const before = Date.parse('2026-11-20T23:30:00+01:00');
    expect(relativeDay(before, now, 'Europe/Rome')).toBe('yesterday');
    expect(relativeDay(before, now, 'America/New_York')).toBe('today');
  });

  it('gives when an idea was last planned, or else created', { tags: ['ideas.list.7', 'dates.plan.1'] }, () => {
    const lastPlannedDate = new Date(NOW + 3 * DAY).toISOString();
    const createdAt = new Date(NOW - 2 * DAY).toISOString();
    expect(ideaAgeText({ lastPlannedDate, createdAt }, NOW, 'UTC')).toBe('Last planned in 3 days');
    expect(ideaAgeText({ lastPlannedDate: null, createdAt }, NOW, 'UTC')).toBe('Created 2 days ago');
    expect(lastPlannedText({ lastPlannedDate: null }, NOW, 'UTC')).toBeNull();
  });

  it("shows no creation date in the future when the server's clock is ahead", () => {
    const createdAt = '2026-11-21T00:00:02.000Z';
    const now = Date.parse('2026-11-20T23:59:59Z');
    expect(ideaAgeText({ lastPlannedDate: null, createdAt }, now, 'UTC')).toBe('Created today');
  });

  it('gives how often it was planned', { tags: ['dates.plan.1'] }, () => {
    expect([0, 1, 3].map(timesPlannedText)).toEqual(['0 times planned', '1 time planned', '3 times planned']);
  });
});
