import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textLength } from '../base/clean-text.ts';
import { suggestLocation } from './location-suggestion.ts';

describe('a place from the description', { tags: ['dates.plan.6'] }, () => {
  it.each([
    ["Dinner at Luigi's", "Luigi's"],
    ['Picnic in the park', 'the park'],
    ['visit the Louvre', 'the Louvre'],
    ['Go to Central Park', 'Central Park'],
    ['AT Blue Bottle, then home', 'Blue Bottle'],
    ['A walk In The Old Town. Bring shoes.', 'the Old Town'],
    ['Let us visit Rome!', 'Rome'],
    ['We go to the beach with wine and cheese', 'the beach'],
    ['Sunset at the lake and a swim', 'the lake'],
    ['Dinner at Salt and Pepper', 'Salt and Pepper'],
    ['New Year at Times Square', 'Times Square'],
    ['Movie night at home', 'home'],
    ['Browse at the night market', 'the night market'],
    ['Meet at "The Blue Door"', 'The Blue Door'],
    ['Breakfast at\nTiffany\nthen shopping', 'Tiffany'],
    ['Visit Rome at night', 'Rome'],
    ['Meet at 7 pm at Luigi', 'Luigi'],
    ['Read in the evening in the garden', 'the garden'],
  ])('%s', (description, place) => expect(suggestLocation(description)).toBe(place));

  it.each([
    ['nothing', null],
    ['nothing written', '   '],
    ['no such phrase', 'Cook pasta together'],
    ['a word that merely ends so', 'Eat pizza and chat a lot; what a treat'],
    ['a time of day', 'A walk at night'],
    ['a clock', 'Start at 7 pm'],
    ['the evening', 'Play cards in the evening'],
    ['the end of something', 'At the end of the day'],
    ['the least', 'Talk for at least an hour'],
    ['each other', 'Visit each other'],
    ['bed', 'Go to bed early'],
    ['nothing behind it', 'Look at'],
    ['a place too long', `at ${'x'.repeat(50)}`],
  ])('none: %s', (_, description) => expect(suggestLocation(description)).toBe(''));

  it('counts the characters of the place without the article', () => {
    expect(suggestLocation(`at ${'x'.repeat(49)}`)).toBe('x'.repeat(49));
    expect(suggestLocation(`in the ${'x'.repeat(49)}`)).toBe(`the ${'x'.repeat(49)}`);
  });

  it('gives one short line for any text', () => {
    const phrase = fc.constantFrom(' at ', ' in the ', ' visit ', ' go to ', ' and ', ', ', '\n', ' the ');
    const text = fc.array(fc.oneof(phrase, fc.string({ unit: 'grapheme' }))).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (description) => {
        const place = suggestLocation(description);
        expect(textLength(place)).toBeLessThan(54);
        expect(place).toBe(place.trim());
        expect(place).not.toContain('\n');
      }),
    );
  });
});
