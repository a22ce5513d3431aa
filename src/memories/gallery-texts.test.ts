import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateLabel, dateName, emptyText, foundText, verbWithCaption } from './gallery-texts.ts';
import { nextCursor } from './next-cursor.ts';
import { stepPlace } from './step-place.ts';

const arezzo = { id: 'arezzo', plannedDateTime: '2026-10-17T08:50:00.000Z', dateIdea: { title: 'Two days in Arezzo' } };

describe('names', () => {
  it('labels a date with its idea and its day', { tags: ['memories.gallery.4'] }, () => {
    expect(dateLabel(arezzo, 'Europe/Rome')).toBe('Two days in Arezzo - Oct 17, 2026');
    expect(dateLabel({ ...arezzo, dateIdea: null }, 'Europe/Rome')).toBe('Date - Oct 17, 2026');
    expect(dateLabel({ ...arezzo, plannedDateTime: null }, 'Europe/Rome')).toBe('Two days in Arezzo - Unknown');
    expect(dateName([arezzo], 'arezzo', 'UTC')).toBe('Two days in Arezzo - Oct 17, 2026');
    expect(dateName([arezzo], 'beach', 'UTC')).toBe('Unknown Date');
  });

  it('counts the memories that were found', { tags: ['memories.gallery.8', 'memories.gallery.11'] }, () => {
    expect(foundText(1, null)).toBe('1 memory found');
    expect(foundText(147, 'Two days in Arezzo - Oct 17, 2026')).toBe(
      '147 memories found for Two days in Arezzo - Oct 17, 2026',
    );
    expect(emptyText(true)).toBe('No memories found for this date. Start capturing beautiful moments!');
    expect(emptyText(false)).toBe('No memories yet! Upload our first photo to start building our gallery.');
  });

  it('names a button after the caption', () => {
    expect([verbWithCaption('View', null), verbWithCaption('Delete', 'Rain')]).toEqual(['View', 'Delete: Rain']);
  });
});

describe('pages', () => {
  it('finds the next page in the Link header', () => {
    expect(nextCursor('</api/Memories?count=30&cursor=a%3Db&sort=size>; rel="next"')).toBe('a=b');
    expect(nextCursor('</api/Memories?count=30>; rel="prev"')).toBeNull();
    expect(nextCursor(null)).toBeNull();
  });
});

describe('the slideshow', () => {
  it('wraps around in both directions', { tags: ['memories.slideshow.5'] }, () => {
    expect(stepPlace(0, -1, 5)).toBe(4);
    expect(stepPlace(4, 1, 5)).toBe(0);
    expect(stepPlace(0, 1, 0)).toBe(0);
    fc.assert(
      fc.property(fc.nat(99), fc.integer({ min: -300, max: 300 }), (place, by) => {
        expect(stepPlace(stepPlace(place, by, 100), -by, 100)).toBe(place);
      }),
    );
  });
});
