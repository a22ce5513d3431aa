import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addIdeaErrors, EMPTY_IDEA } from './form-rules.ts';
import { nextSuggestion, SUGGESTION_GROUPS, SUGGESTIONS } from './suggestions.ts';

test('there are more than 400 suggestions in ten groups or more, none of them twice', {
  tags: ['ideas.form.6'],
}, () => {
  expect(SUGGESTIONS.length).toBeGreaterThan(400);
  expect(SUGGESTION_GROUPS.length).toBeGreaterThanOrEqual(10);
  expect(new Set(SUGGESTIONS.map((title) => title.toLowerCase())).size).toBe(SUGGESTIONS.length);
});

test('every suggestion is a valid title', () => {
  for (const title of SUGGESTIONS) {
    expect(title).toBe(title.trim());
    expect(addIdeaErrors({ ...EMPTY_IDEA, title })).toEqual({});
  }
});

test('the same suggestion never repeats at once, and every one is possible', { tags: ['ideas.form.6'] }, () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 50 }),
      (chances) => {
        let before: string | null = null;
        for (const chance of chances) {
          const next = nextSuggestion(before, chance);
          expect(SUGGESTIONS).toContain(next);
          expect(next).not.toBe(before);
          before = next;
        }
      },
    ),
  );
  const all = SUGGESTIONS.map((_, index) => nextSuggestion(null, (index + 0.5) / SUGGESTIONS.length));
  expect(new Set(all).size).toBe(SUGGESTIONS.length);
});
