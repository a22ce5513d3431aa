import { describe, expect, it } from 'vitest';
import { sizeAttributes } from './sizes.ts';

describe('the size of an element on a rendered page', () => {
  it('is written as powers of two', () => {
    expect(sizeAttributes({ '--ar': '1.5000' })).toEqual({ 'data-ar': '', 'data-size': '0 -1' });
    expect(sizeAttributes({ '--row-width': '513px', color: 'red' })).toEqual({
      'data-row-width': '',
      'data-size': '9 0',
    });
    expect(sizeAttributes({ '--h': 60 })).toEqual({});
  });

  it.each([0, 0.0003, 0.5625, 1.3333, 1.7778, 4, 390, 65_535])('is exact to a ten-thousandth of one: %d', (size) => {
    const { 'data-size': words = '' } = sizeAttributes({ '--part': size });
    const sum = words.split(' ').reduce((all, word) => all + (word === '' ? 0 : 2 ** Number(word)), 0);
    expect(Math.abs(sum - size)).toBeLessThan(0.000_13);
  });
});
