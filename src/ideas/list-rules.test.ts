import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORIES } from './categories.ts';
import type { DateIdea } from './contract.ts';
import { hasFilters, type IdeaFilter, ideaSummary, inactiveCount, noIdeasText, visibleIdeas } from './list-rules.ts';

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
